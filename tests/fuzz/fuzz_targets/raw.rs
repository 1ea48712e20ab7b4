#![no_main]

libfuzzer_sys::fuzz_target!(init: carom_fuzz::peers::serve(carom_fuzz::raw), |data: &[u8]| {
    carom_fuzz::peers::compare(data, carom_fuzz::raw);
});
