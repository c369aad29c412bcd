//! Checks every shader before the code that uses them is built.

#[cfg(feature = "gpu")]
#[path = "src/raster/gpu/sources.rs"]
mod sources;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/raster/gpu/sources.rs");
    println!("cargo::rerun-if-changed=../shaders");
    #[cfg(feature = "gpu")]
    check();
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
