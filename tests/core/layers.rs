//! Which modules may use which, checked in the paths, imports and re-exports of the sources: a
//! module uses only those below it, and imports among files form no circle.
//!
//! An import through a re-export counts as one of the file that defines the item. A re-export
//! itself counts only where the code of the same file uses the name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules, lowest first. `invalid_shape` comes above `geom`, because the positions in it are
/// points.
const ROOMS: &str = "geom invalid_shape simd predicates convex broad shape batch python lib";

/// Modules that a higher one may not use, although they are lower. What bounds boxes, in floats, are methods of
/// `Bounds`, so that `broad` has them; it has no exact predicate.
const CLOSED: [(&str, &str); 3] = [
    ("broad", "predicates"),
    ("broad", "convex"),
    ("python", "predicates"),
];

/// The only folder with unsafe code.
const UNSAFE: &str = "python/buffer/";

/// The names that lead to a module or an item.
type Names = Vec<String>;

/// What a file uses of others.
#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// What each imported name stands for, and whether it is re-exported.
    imports: BTreeMap<String, (Names, bool)>,
    /// All paths in the code, those of one name included.
    paths: Vec<Names>,
}

type Modules = BTreeMap<Names, Module>;

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The words, `::`s and other characters of a source without comments and (plain) strings.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut rest) = (Vec::new(), text);
    while let Some(c) = rest.chars().next() {
        let mut escaped = false;
        let closes = |c: char| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        };
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => 2 + rest[1..].find(closes).expect("an end"),
            ':' if rest.starts_with("::") => 2,
            _ if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !(c.is_whitespace() || c == '"' || token.starts_with("//")) {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

/// The names and paths of a `use` declaration, braces resolved.
fn imports(tokens: &[&str]) -> Vec<(String, Names)> {
    let (mut found, mut path, mut open) = (Vec::new(), Vec::new(), vec![0]);
    for &token in tokens {
        match token {
            "::" => {}
            "{" => open.push(path.len()),
            "," | "}" | ";" => {
                if path.len() > open[open.len() - 1] {
                    found.push(path.clone());
                }
                open.truncate(open.len() - usize::from(token == "}"));
                path.truncate(open[open.len() - 1]);
            }
            name => path.push(name.to_owned()),
        }
    }
    let named = |mut path: Names| {
        path.pop_if(|last| last == "self");
        let name = path.last().expect("a name").clone();
        let is_prelude = path.iter().any(|name| name == "prelude");
        assert!(name != "*" || is_prelude, "imports name what they take");
        let end = path.iter().position(|name| name == "as");
        path.truncate(end.unwrap_or(path.len()));
        (name, path)
    };
    found.into_iter().map(named).collect()
}

/// A source as a module, and the names that lead to it. A module with a body of its own, if there
/// is one, ends the file.
fn read(file: &str, text: &str) -> (Names, Module) {
    let path = file.trim_end_matches(".rs").split('/');
    let mut names: Names = path.map(str::to_owned).collect();
    names.pop_if(|last| last == "mod" || file == "lib.rs");
    let mut module = Module::default();
    file.clone_into(&mut module.file);
    let tokens = tokens(text);
    let (mut rest, mut before, mut is_inner) = (&tokens[..], "", false);
    while let [token, after @ ..] = rest {
        let path_before = ["::", ".", "fn", "'"].contains(&before);
        rest = after;
        match (*token, after) {
            ("mod", [name, ";", ..]) => {
                module.children.insert((*name).to_owned());
                rest = &after[1..];
            }
            ("mod", [_, "{", ..]) => is_inner = true,
            // `use<'a>` is no import.
            ("use", [next, ..]) if *next != "<" => {
                let end = 1 + after.iter().position(|it| *it == ";").expect("an end");
                for (name, mut path) in imports(&after[..end]) {
                    if is_inner && path[0] == "super" {
                        "self".clone_into(&mut path[0]);
                    }
                    let is_public = ["pub", ")"].contains(&before);
                    module.imports.insert(name, (path, is_public));
                }
                rest = &after[end..];
            }
            (name, _) if name.starts_with(is_word) && !path_before => {
                let own = is_inner && name == "super";
                let mut path = vec![(if own { "self" } else { name }).to_owned()];
                while let ["::", next, after @ ..] = rest
                    && next.starts_with(is_word)
                {
                    path.push((*next).to_owned());
                    rest = after;
                }
                // In `pub(super)` it names no item.
                if path != ["super"] {
                    module.paths.push(path);
                }
            }
            _ => {}
        }
        before = *token;
    }
    (names, module)
}

/// A path of a module as it leads from the root of the crate; `None` if it leads elsewhere.
fn absolute(modules: &Modules, at: &[String], path: &[String]) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let module = &modules[at];
    let start = match first.as_str() {
        "crate" => Names::new(),
        "self" => at.to_vec(),
        "super" if rest.first().is_some_and(|next| next == "super") => {
            return absolute(modules, &at[..at.len() - 1], rest);
        }
        "super" => at[..at.len() - 1].to_vec(),
        // Alone, it is a function that has the name of its module.
        child if module.children.contains(child) && !rest.is_empty() => [at, &path[..1]].concat(),
        name => {
            let (target, _) = module.imports.get(name)?;
            let is_foreign = target[0] == name && !module.children.contains(name);
            absolute(modules, at, (!is_foreign).then_some(target)?)?
        }
    };
    Some([&start, rest].concat())
}

/// The file that defines what a path from the root leads to; `None` if that is a module.
fn definition<'m>(modules: &'m Modules, path: &[String]) -> Option<&'m str> {
    for (index, name) in path.iter().enumerate() {
        let (at, rest) = (&path[..index], &path[index + 1..]);
        let module = &modules[at];
        let is_child = module.children.contains(name);
        match module.imports.get(name) {
            Some((target, _)) if rest.is_empty() || !is_child => {
                let target = absolute(modules, at, target)?;
                return definition(modules, &[&target, rest].concat());
            }
            _ if is_child => {}
            _ => return Some(&module.file),
        }
    }
    None
}

/// The files that each file uses.
fn uses(modules: &Modules) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (at, module) in modules {
        let own = module.imports.values().filter(|(_, is_public)| !is_public);
        let paths = own.map(|(path, _)| path).chain(&module.paths);
        let files = paths.filter_map(|path| definition(modules, &absolute(modules, at, path)?));
        let others = files.filter(|file| *file != module.file);
        uses.insert(&module.file, others.collect());
    }
    uses
}

/// Files each of which uses the next, and the last the first, if there are such.
fn circle<'m>(mut uses: BTreeMap<&'m str, BTreeSet<&'m str>>) -> Vec<&'m str> {
    // Without those that use no other, those that use only them use no other, and so on.
    while let Some(last) = uses.keys().copied().find(|file| uses[file].is_empty()) {
        uses.remove(last);
        for used in uses.values_mut() {
            used.remove(last);
        }
    }
    let next = |file: &&'m str| uses[file].first().copied();
    let mut trail: Vec<_> = uses.keys().copied().take(1).collect();
    while let Some(next) = trail.last().and_then(next) {
        if let Some(start) = trail.iter().position(|file| *file == next) {
            return trail[start..].to_vec();
        }
        trail.push(next);
    }
    trail
}

fn room(file: &str) -> &str {
    file.split(['/', '.']).next().expect("a name")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let below = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    };
    paths.flat_map(below).collect()
}

/// All sources, each with its place below `src`.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: &PathBuf| {
        let place = path.strip_prefix(&root).expect("below src");
        let place = place.to_string_lossy().replace('\\', "/");
        (place, fs::read_to_string(path).expect("a readable source"))
    };
    files(&root).iter().map(read).collect()
}

fn modules(sources: &[(impl AsRef<str>, impl AsRef<str>)]) -> Modules {
    let modules = sources.iter();
    modules
        .map(|(file, text)| read(file.as_ref(), text.as_ref()))
        .collect()
}

#[test]
fn rooms_use_only_those_below_them() {
    let rank = |room: &str| ROOMS.split(' ').position(|it| it == room).expect(room);
    for (file, used) in uses(&modules(&sources())) {
        for other in used {
            let rooms = (room(file), room(other));
            let is_fine = rank(rooms.1) <= rank(rooms.0) && !CLOSED.contains(&rooms);
            assert!(is_fine, "{file} uses {other}");
        }
    }
}

#[test]
fn no_imports_run_in_a_circle() {
    let modules = modules(&sources());
    assert_eq!(
        circle(uses(&modules)),
        [""; 0],
        "each uses the next, the last the first"
    );
}

#[test]
fn a_circle_is_found_through_re_exports_and_parents() {
    let mut sample = [
        ("lib.rs", "pub mod a; mod b; /// [`a::One`]\n struct Root;"),
        (
            "a/mod.rs",
            "mod one; mod two; pub(crate) use one::{One as Uno, one}; fn own() {}",
        ),
        (
            "a/one.rs",
            "pub struct One; fn one() -> &str { \"\\\" super::own()\" }",
        ),
        (
            "a/two.rs",
            "use super::{own, Uno}; use crate::{b::{self, B}, a};",
        ),
        (
            "b.rs",
            "use std::fmt::{self, Debug}; fn f() { crate::a::one() }",
        ),
    ];
    let read = modules(&sample);
    let found = uses(&read);
    assert_eq!(found["a/mod.rs"].len() + found["a/one.rs"].len(), 0);
    assert_eq!(found["a/two.rs"], ["a/mod.rs", "a/one.rs", "b.rs"].into());
    assert_eq!(found["b.rs"], ["a/one.rs"].into());
    assert_eq!(circle(found), [""; 0]);
    sample[2].1 = "fn one() { super::super::b::C; }";
    assert_eq!(circle(uses(&modules(&sample))), ["a/one.rs", "b.rs"]);
}

#[test]
fn unsafe_code_is_where_it_belongs() {
    for (file, text) in sources() {
        let mut tokens = tokens(&text).into_iter();
        let has_unsafe = tokens.any(|token| token == "unsafe" || token == "unsafe_code");
        assert!(
            !has_unsafe || file.starts_with(UNSAFE),
            "{file} has unsafe code"
        );
    }
}

#[test]
fn long_sources_say_why_they_are_long() {
    for (file, text) in sources() {
        let lines = text.lines().count();
        let comment: Vec<_> = (text.lines())
            .map_while(|line| line.strip_prefix("//!"))
            .collect();
        let says_why = comment.concat().contains("The file is long because");
        assert!(lines <= 400 || says_why, "{file} has {lines} lines");
        assert!(lines <= 550, "{file} is too long to read");
    }
}

#[test]
fn folders_hold_at_most_twenty_files() {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (file, _) in sources() {
        let (folder, _) = file.rsplit_once('/').unwrap_or_default();
        *counts.entry(folder.to_owned()).or_default() += 1;
    }
    for (folder, count) in counts {
        assert!(count <= 20, "src/{folder} holds {count} files");
    }
}
