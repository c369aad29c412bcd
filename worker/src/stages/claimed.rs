//! Where a job stores its images.

use fleet::protocol::Claim;

/// Where a job stores its images: no two claims share a location.
#[derive(Debug, Clone)]
pub(crate) struct Claimed {
    /// The claim under which the job runs.
    pub claim: Claim,
    /// The worker's own folder.
    pub folder: Option<String>,
}
