//! The context of jobs.

use fleet::blobs::Blobs;
use fleet::fair_semaphore::FairSemaphore;
use fleet::net::Fetcher;
use fleet::sandbox::Sandbox;

use crate::brand::Brands;
use crate::cache::Photos;
use crate::copywriter::Copywriter;
use crate::renderer::Renderer;

/// The context of jobs, shared by all of them.
pub struct Context {
    /// The object store of inputs, pages and pictures.
    pub blobs: Blobs,
    /// Renders pictures.
    pub renderer: Renderer,
    /// Fetches pages.
    pub fetcher: Fetcher,
    /// Reads untrusted files in child processes.
    pub sandbox: Sandbox,
    /// Composes pages, if a language model is configured.
    pub copywriter: Option<Copywriter>,
    /// Loads brand kits, logos and faces.
    pub brands: Brands,
    /// Loads the photographs of pages.
    pub photos: Photos,
    /// Permits for stages that compute, shared fairly between the accounts that they belong to. Each stage has a thread
    /// of its own; its parallel parts, such as the bands of a picture, run in rayon's global pool.
    pub threads: FairSemaphore,
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use super::*;

    /// A context with two threads, on the CPU.
    pub(crate) fn test_context() -> Arc<Context> {
        let fonts = render_core::text::Fonts::new();
        Arc::new(Context {
            blobs: Blobs::memory(),
            renderer: Renderer::cpu(fonts, 1),
            fetcher: Fetcher::new(fleet::net::Parts::of_the_system(fleet::net::Guard::default())),
            sandbox: Sandbox::new(1).unwrap(),
            copywriter: None,
            brands: Brands::default(),
            photos: Photos::default(),
            threads: FairSemaphore::new(2, fleet::fair_semaphore::AccountLimits::UNBOUNDED),
        })
    }
}
