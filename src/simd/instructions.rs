//! The instruction set in use: the best that the processor has, or the one that the user names.

use std::env;
use std::sync::OnceLock;

use fearless_simd::{Level, Simd, SimdBase};

/// The environment variable that names the instruction set.
pub const VARIABLE: &str = "CAROM_INSTRUCTIONS";

/// Its valid values; `baseline` is what every processor of the architecture has.
pub const NAMES: [&str; 4] = ["avx512", "avx2", "neon", "baseline"];

/// The instruction set in use, detected once. With a warning if the variable names no instruction
/// set, or one that this processor lacks.
pub fn level() -> &'static (Level, Option<String>) {
    static LEVEL: OnceLock<(Level, Option<String>)> = OnceLock::new();
    LEVEL.get_or_init(|| match env::var(VARIABLE) {
        Ok(name) => match named(&name) {
            Some(level) => (level, None),
            None => (Level::new(), Some(refused(&name))),
        },
        Err(_) => (Level::new(), None),
    })
}

#[inline]
pub(crate) fn in_use() -> Level {
    static IN_USE: OnceLock<Level> = OnceLock::new();
    *IN_USE.get_or_init(|| level().0)
}

fn named(name: &str) -> Option<Level> {
    let best = Level::new();
    match name {
        "" => Some(best),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "avx512" => best.as_avx512().map(Level::Avx512),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        "avx2" => best.as_avx2().map(Level::Avx2),
        #[cfg(target_arch = "aarch64")]
        "neon" => best.as_neon().map(Level::Neon),
        "baseline" => Some(Level::baseline()),
        _ => None,
    }
}

fn refused(name: &str) -> String {
    if NAMES.contains(&name) {
        return format!("{VARIABLE} is {name:?}, which this processor lacks");
    }
    format!(
        "{VARIABLE} is {name:?}; it may be one of {}",
        NAMES.join(", ")
    )
}

/// The name of the instruction set in use, one of [`NAMES`].
pub fn name() -> &'static str {
    let level = in_use();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if level.as_avx512().is_some() {
            return "avx512";
        }
        if level.as_avx2().is_some() {
            return "avx2";
        }
    }
    if cfg!(target_arch = "aarch64") && !level.is_fallback() {
        "neon"
    } else {
        "baseline"
    }
}

/// Whether the vector registers hold 16 numbers several times over. Otherwise unrolled kernels gain
/// nothing: x86-64 without AVX has 16 registers of 2 numbers.
pub(crate) const fn has_wide_registers<S: Simd>() -> bool {
    <S::f64s as SimdBase<S>>::LEN > 2 || cfg!(target_arch = "aarch64")
}

/// Evaluates `$work` with the token of the instruction set in use, compiled for each of them. SSE 4
/// has nothing for these kernels that SSE 2 lacks. Kernels of SSE 2 are a tenth of the machine code; without them, rows of
/// quadrilaterals and octagons, answered one by one, took 3 to 13 times as long where there is no AVX2.
macro_rules! with_instructions {
    ($simd:ident => $work:expr) => {{
        let level = $crate::simd::instructions::in_use();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some($simd) = level.as_avx512() {
                $simd.vectorize(
                    #[inline(always)]
                    || $work,
                )
            } else if let Some($simd) = level.as_avx2() {
                $simd.vectorize(
                    #[inline(always)]
                    || $work,
                )
            } else {
                let $simd = level.as_sse2().expect("part of every such processor");
                $simd.vectorize(
                    #[inline(always)]
                    || $work,
                )
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        {
            fearless_simd::dispatch!(level, $simd => $work)
        }
    }};
}
pub(crate) use with_instructions;
