//! Validates every shader before the code that uses it is built, and generates the lists of templates, pictures and
//! styles.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[cfg(feature = "gpu")]
#[path = "src/raster/gpu/sources.rs"]
mod sources;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/raster/gpu/sources.rs");
    println!("cargo::rerun-if-changed=../shaders");
    #[cfg(feature = "gpu")]
    check();
    let templates = listed("TEMPLATES", "assets/templates") + &listed("PARTS", "assets/templates/parts");
    let pictures = listed("PICTURES", "assets/pictures") + &listed("MACROS", "assets/pictures/macros");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("pictures.rs"), pictures).expect("the build's folder can be written to");
    std::fs::write(Path::new(&out).join("templates.rs"), templates).expect("the build's folder can be written to");
    std::fs::write(Path::new(&out).join("emoji.rs"), emoji()).expect("the build's folder can be written to");
    std::fs::write(Path::new(&out).join("styles.rs"), styles()).expect("the build's folder can be written to");
}

/// Generates the modules of the styles, a constant for each, and the list of all styles in the order of their ranks.
/// Styles marked `test_only` exist only in unit tests.
fn styles() -> String {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let mut found = Vec::new();
    for (folder, condition) in [("src/design/styles", ""), ("src/design/styles/test_only", "#[cfg(test)]")] {
        println!("cargo::rerun-if-changed={folder}");
        for path in files(&Path::new(&root).join(folder), "rs").into_iter().filter(|p| !p.ends_with("mod.rs")) {
            let text = std::fs::read_to_string(&path).expect("a style can be read");
            let rank =
                text.lines().find_map(|line| line.trim().strip_prefix("rank: ")?.trim_end_matches(',').parse().ok());
            let rank: u32 = rank.unwrap_or_else(|| panic!("{} has no rank", path.display()));
            found.push((
                rank,
                path.file_stem().expect("a file has a name").to_string_lossy().into_owned(),
                path,
                condition,
            ));
        }
    }
    found.sort();
    let (mut modules, mut all, mut constants) = (String::new(), String::new(), String::new());
    for (at, (_, name, path, condition)) in found.iter().enumerate() {
        let (path, upper) = (path.display().to_string(), name.to_uppercase());
        writeln!(modules, "{condition} #[path = {path:?}] mod {name};").expect("a string grows");
        writeln!(all, "    {condition} ({name:?}, &{name}::THEME),").expect("a string grows");
        writeln!(constants, "    {condition} /// The style {name}.\n    pub const {upper}: Self = Self({at});")
            .expect("a string grows");
    }
    let names: Vec<&str> = found.iter().filter(|(.., c)| c.is_empty()).map(|(_, name, ..)| name.as_str()).collect();
    format!(
        "{modules}\n/// Names and tokens of the styles, in order.\nconst ALL: &[(&str, &Theme)] = &[\n{all}];\n\
         /// The names that a request may use.\npub const STYLE_NAMES: [&str; {}] = {names:?};\n\
         impl Style {{\n{constants}}}\n",
        names.len()
    )
}

/// Generates the emoji of each concept that has one, by the concepts' names, from lines such as `tea = { …, emoji = "🍵
/// 🫖", … }`.
fn emoji() -> String {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let path = Path::new(&root).join("assets/icons/concepts.toml");
    println!("cargo::rerun-if-changed={}", path.display());
    let text = std::fs::read_to_string(&path).expect("the concepts can be read");
    let mut out =
        String::from("/// Emoji by the names of concepts, the first one first.\nconst EMOJI: &[(&str, &str)] = &[\n");
    for line in text.lines() {
        let Some((name, rest)) = line.split_once(" = {") else { continue };
        let Some((_, emoji)) = rest.split_once("emoji = \"") else { continue };
        let emoji = emoji.split('"').next().unwrap_or_default();
        writeln!(out, "    ({:?}, {emoji:?}),", name.trim_matches('"')).expect("a string grows");
    }
    out + "];\n"
}

/// Returns the files in a folder with this extension, sorted by name.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("the folder is part of the package");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let mut paths: Vec<_> = paths.filter(|p| p.extension().is_some_and(|e| e == extension)).collect();
    paths.sort();
    for path in &paths {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    paths
}

/// Generates a table of names and contents of the XML files in `folder`.
fn listed(table: &str, folder: &str) -> String {
    println!("cargo::rerun-if-changed={folder}");
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let paths = files(&Path::new(&root).join(folder), "xml");
    let mut out = format!("/// Names and texts of `{folder}`.\nconst {table}: &[(&str, &str)] = &[\n");
    for path in paths {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        writeln!(out, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("a string grows");
    }
    out + "];\n"
}

/// Parses and validates the shader modules. Aborts the build with the error of the first invalid module.
#[cfg(feature = "gpu")]
fn check() {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    for module in sources::Module::all() {
        let source = module.source();
        let parsed = naga::front::wgsl::parse_str(&source)
            .unwrap_or_else(|e| panic!("{module:?}: {}", e.emit_to_string_with_path(&source, "shaders")));
        Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&parsed)
            .unwrap_or_else(|e| panic!("{module:?}: {}", e.emit_to_string_with_path(&source, "shaders")));
    }
}
