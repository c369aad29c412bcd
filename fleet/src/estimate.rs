//! What a generation would be, before it is one. In standalone mode the workers of this process say; across machines, a
//! request does.

use async_trait::async_trait;
use bytes::Bytes;
use render_core::outline::RevisedPage;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::{Failure, PlanJob};

/// What a generation would be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// What it would be headed by.
    pub title: String,
    /// BCP 47 tag of its pages.
    pub language: String,
    /// Name of the style that would be drawn.
    pub style: String,
    /// Its pages, in the order of the request, slides in order.
    pub pages: Vec<EstimatedPage>,
    /// What the client should know beside what pages warn of.
    pub warnings: Vec<Warning>,
}

/// What a page would say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimatedPage {
    /// Id of its format.
    pub format: String,
    /// Which slide, from 0, of a carousel.
    pub slide: Option<u32>,
    /// How it would be composed: `cover-type`, `list-grid` …
    pub archetype: String,
    /// Slot and words, in reading order.
    pub texts: Vec<(String, String)>,
    /// The same as an outline, which a generation takes; `None` of a page in the page language.
    pub outline: Option<RevisedPage>,
    /// Its alternative text.
    pub alt_text: String,
    /// What the client should know about it.
    pub warnings: Vec<Warning>,
}

/// Plans without keeping anything.
#[async_trait]
pub trait Estimator: Send + Sync {
    /// What `job` of `account` would come to with `input` for its input.
    ///
    /// # Errors
    /// A [`Failure`] as the generation itself would end; one of the code `busy` where the account has as many estimates
    /// waiting as it may.
    async fn estimate(&self, account: Uuid, job: PlanJob, input: Bytes) -> Result<Estimate, Failure>;
}
