#![no_main]

libfuzzer_sys::fuzz_target!(init: carom_fuzz::instruction_sets::serve(carom_fuzz::columns), |data: &[u8]| {
    carom_fuzz::instruction_sets::compare(data, carom_fuzz::columns);
});
