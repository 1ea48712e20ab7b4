//! Every target on the inputs in `seeds` and on random bytes from fixed seeds: finds faults of the targets
//! themselves in seconds.

use std::fs;
use std::path::Path;

use carom_fuzz::Answers;

/// `CAROM_FUZZ_INPUTS` sets how many inputs.
fn run(name: &str, target: fn(&[u8]) -> Answers) {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(name);
    for seed in fs::read_dir(seeds).expect("seeds") {
        target(&fs::read(seed.expect("a file").path()).expect("bytes"));
    }
    let count = std::env::var("CAROM_FUZZ_INPUTS")
        .ok()
        .and_then(|it| it.parse().ok());
    let (mut state, mut answered) = (0x9e37_79b9_7f4a_7c15_u64, 0);
    let mut next = || {
        // Xorshift, after Marsaglia.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..count.unwrap_or(100) {
        let data: Vec<u8> = (0..next() % 400).map(|_| (next() >> 32) as u8).collect();
        answered += usize::from(target(&data).is_some());
    }
    assert!(answered > 0);
}

macro_rules! targets {
    ($($name:ident)+) => {
        $(#[test]
        fn $name() {
            run(stringify!($name), carom_fuzz::$name);
        })+
    };
}

targets! { predicates pairs moving turning circles columns raw }
