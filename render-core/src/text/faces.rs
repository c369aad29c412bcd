//! The faces: vendored, compressed in the binary, loaded when first used, shared by all workers of a process.
