//! Estimates what a generation would contain, before it is created. In standalone mode the workers of this process do
//! so; across machines, a request does.

use async_trait::async_trait;
use bytes::Bytes;
use render_core::outline::RevisedPage;
use render_core::warning::Warning;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::protocol::{Failure, PlanJob};

/// The expected content of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Its title.
    pub title: String,
    /// BCP 47 tag of its pages.
    pub language: String,
    /// Name of the style that it would use.
    pub style: String,
    /// Its pages, in the order of the request, slides in order.
    pub pages: Vec<EstimatedPage>,
    /// Warnings about the generation, in addition to those of pages.
    pub warnings: Vec<Warning>,
}

/// The expected content of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EstimatedPage {
    /// Id of its format.
    pub format: String,
    /// Slide of a carousel, from 0.
    pub slide: Option<u32>,
    /// The layout: `cover-type`, `list-grid` …
    pub archetype: String,
    /// Slot and text, in reading order.
    pub texts: Vec<(String, String)>,
    /// The same as an outline that a generation accepts; `None` for a page in the page language.
    pub outline: Option<RevisedPage>,
    /// Its alternative text.
    pub alt_text: String,
    /// Warnings about this page.
    pub warnings: Vec<Warning>,
}

/// Plans generations without storing anything.
#[async_trait]
pub trait Estimator: Send + Sync {
    /// Returns the expected result of `job` with `input`, on behalf of `account`.
    ///
    /// # Errors
    /// The [`Failure`] with which the generation itself would end; one with the code `busy` where the account has too
    /// many estimates waiting.
    async fn estimate(&self, account: Uuid, job: PlanJob, input: Bytes) -> Result<Estimate, Failure>;
}
