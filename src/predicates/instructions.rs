//! Which instructions rings are looked at with: the best the processor has, or those the user names.

use std::env;
use std::sync::OnceLock;

pub use fearless_simd::Level;

/// The environment variable that names the instructions.
pub const VARIABLE: &str = "CAROM_INSTRUCTIONS";

/// The instructions in use, found out once.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let best = Level::new();
        match env::var(VARIABLE) {
            Ok(name) => named(best, &name).unwrap_or(best),
            Err(_) => best,
        }
    })
}

/// The instructions of this name, if the processor has them.
fn named(best: Level, name: &str) -> Option<Level> {
    match name {
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

/// Does something with the token of the instructions in use, compiled for each of them. SSE 4 has
/// nothing for these kernels that SSE 2 has not.
macro_rules! with_instructions {
    ($simd:ident => $work:expr) => {{
        let level = $crate::predicates::instructions::level();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some($simd) = level.as_avx512() {
                $simd.vectorize(#[inline(always)] || $work)
            } else if let Some($simd) = level.as_avx2() {
                $simd.vectorize(#[inline(always)] || $work)
            } else {
                let $simd = level.as_sse2().expect("part of every such processor");
                $simd.vectorize(#[inline(always)] || $work)
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        {
            fearless_simd::dispatch!(level, $simd => $work)
        }
    }};
}
pub(crate) use with_instructions;

/// What the instructions in use are called.
pub fn name() -> &'static str {
    let level = level();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        if level.as_avx512().is_some() {
            return "avx512";
        }
        if level.as_avx2().is_some() {
            return "avx2";
        }
    }
    #[cfg(target_arch = "aarch64")]
    if level.as_neon().is_some() {
        return "neon";
    }
    let _ = level;
    "baseline"
}
