#![no_main]

libfuzzer_sys::fuzz_target!(init: carom_fuzz::peers::serve(carom_fuzz::pairs), |data: &[u8]| {
    carom_fuzz::peers::compare(data, carom_fuzz::pairs);
});
