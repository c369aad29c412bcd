//! Checks every shader before the code that uses them is built, and lists the files of templates.

use std::fmt::Write as _;
use std::path::Path;

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
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("templates.rs"), templates).expect("the build's folder can be written to");
}

/// A table of names and contents of the XML files in `folder`.
fn listed(table: &str, folder: &str) -> String {
    println!("cargo::rerun-if-changed={folder}");
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let files = std::fs::read_dir(Path::new(&root).join(folder)).expect("the folder is part of the package");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let mut paths: Vec<_> = paths.filter(|p| p.extension().is_some_and(|e| e == "xml")).collect();
    paths.sort();
    let mut out = format!("/// Names and texts of `{folder}`.\nconst {table}: &[(&str, &str)] = &[\n");
    for path in paths {
        let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(out, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("a string grows");
    }
    out + "];\n"
}

/// Parses and validates the shaders' modules; ends the build with what is wrong with the first that isn't in order.
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
