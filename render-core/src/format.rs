//! The catalogue of output formats, read from `assets/formats.toml`: data, not code.
//!
//! Nothing in the engine may depend on a format's id except through what its entry says here.
