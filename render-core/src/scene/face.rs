//! Ids of faces.

/// A family at one weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FaceId(pub(crate) u32);

impl FaceId {
    /// Returns the index of the face among all faces, vendored ones first: contiguous, from 0. A brand's own faces have
    /// far larger indices.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}
