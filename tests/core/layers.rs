//! Who may use whom, read off the `crate::` paths of the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// A module, and all that it may use: `geom` comes before `error`, whose positions are points.
const LAYERS: [(&str, &[&str]); 10] = [
    ("geom", &[]),
    ("error", &["geom"]),
    ("simd", &["geom", "error"]),
    ("predicates", &["geom", "error", "simd"]),
    ("convex", &["geom", "error", "simd", "predicates"]),
    ("broad", &["geom", "error", "simd"]),
    (
        "shape",
        &["geom", "error", "simd", "predicates", "convex", "broad"],
    ),
    (
        "batch",
        &[
            "geom",
            "error",
            "simd",
            "predicates",
            "convex",
            "broad",
            "shape",
        ],
    ),
    (
        "python",
        &["geom", "error", "simd", "convex", "broad", "shape", "batch"],
    ),
    (
        "lib",
        &[
            "geom",
            "error",
            "simd",
            "predicates",
            "convex",
            "broad",
            "shape",
            "batch",
            "python",
        ],
    ),
];

/// The only file with unsafe code.
const UNSAFE: [&str; 1] = ["python/buffer.rs"];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// All sources, each with its place below `src` and the code in it, comments left out.
fn code() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: PathBuf| {
        let place = path.strip_prefix(&root).expect("below src");
        let place = place.to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&path).expect("a readable source");
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        (place, lines.collect::<Vec<_>>().join("\n"))
    };
    sources(&root).into_iter().map(read).collect()
}

/// The modules of this crate that some code names.
fn used(code: &str) -> Vec<String> {
    let after = code.split("crate::").skip(1);
    let name = |rest: &str| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    after.map(name).collect()
}

#[test]
fn modules_use_only_those_below_them() {
    for (place, code) in code() {
        let module = place.split(['/', '.']).next().expect("a name");
        let (_, allowed) = LAYERS
            .iter()
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("{module} is in no layer"));
        for other in used(&code) {
            let is_fine = other == module || allowed.contains(&other.as_str());
            assert!(is_fine, "{place} uses crate::{other}");
        }
    }
}

#[test]
fn imports_name_their_modules_one_by_one() {
    // `use crate::{a, b}` would slip through the other test.
    for (place, code) in code() {
        assert!(!code.contains("crate::{"), "{place} imports crate::{{..}}");
    }
}

#[test]
fn unsafe_code_is_where_it_belongs() {
    for (place, code) in code() {
        let has_unsafe = code.contains("unsafe ") || code.contains("allow(unsafe_code)");
        assert!(
            !has_unsafe || UNSAFE.contains(&place.as_str()),
            "{place} has unsafe code"
        );
    }
}

#[test]
fn no_source_is_too_long_to_read() {
    for (place, code) in code() {
        assert!(code.lines().count() <= 600, "{place} is too long");
    }
}
