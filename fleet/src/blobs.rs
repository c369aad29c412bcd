//! Object storage: a folder, a bucket, or memory for tests.
//!
//! The store holds two kinds of data. *Blobs* are named by the SHA-256 of their bytes (`blobs/ab/cdef…`), written once
//! and verified when read: inputs, documents, pages. *Objects* have a key chosen by the writer, and clients fetch them:
//! images and thumbnails.

mod blob;
mod clock;
mod digest;
mod error;
mod key;
mod location;
mod object;
mod orphans;
mod store;
mod stored;

pub use digest::Digest;
pub use error::{BlobError, OBJECT_BYTES};
pub use key::{KEY_BYTES, NotABlobId};
pub use location::{Access, Location};
pub use store::{Blobs, RetryPolicy};
pub use stored::{Metadata, Object};

#[cfg(test)]
mod tests;
