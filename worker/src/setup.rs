//! Builds what a worker's jobs need, in whichever process the worker runs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fleet::blobs::Blobs;
use fleet::fair_semaphore::{AccountLimits, FairSemaphore};
use fleet::llm::{self, Key, Price};
use fleet::net::{Fetcher, Guard, Parts};
use fleet::sandbox::Sandbox;
use render_core::text::Fonts;

use crate::Context;
use crate::brand::Brands;
use crate::cache::Photos;
use crate::concurrency;
use crate::copywriter::{Copywriter, Spending};
use crate::renderer::{Choice, ChoiceError, Renderer};

/// Why a worker can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A requested device is missing or can't be opened.
    #[error(transparent)]
    Device(#[from] ChoiceError),
    /// The folder of fonts can't be read.
    #[error("can't read the font folder {folder}: {source}")]
    Fonts {
        /// The folder.
        folder: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The sandbox can't start processes.
    #[error("the sandbox can't start: this program's own executable can't be found: {0}")]
    Sandbox(#[source] std::io::Error),
    /// The settings of the language model are invalid.
    #[error("invalid language model settings: {0}")]
    Model(#[source] llm::BadSetting),
}

/// The settings that differ between workers.
pub struct Setup<'a> {
    /// Jobs worked on at once; `None` chooses a number that suits the machine.
    pub loops: Option<usize>,
    /// The devices that render.
    pub device: &'a Choice,
    /// Which hosts pages may be fetched from.
    pub guard: &'a Guard,
    /// The language model that composes pages, if one is configured.
    pub copywriter: Option<Copywriter>,
    /// The object store of inputs, pages and pictures.
    pub blobs: Blobs,
    /// The available faces.
    pub fonts: Fonts,
}

/// Returns the built-in faces and those of a folder, whose files are checked in the sandbox.
///
/// # Errors
/// [`SetupError::Fonts`].
pub async fn fonts(folder: Option<&Path>, sandbox: &Sandbox) -> Result<Fonts, SetupError> {
    let fonts = Fonts::new();
    if let Some(folder) = folder {
        let unreadable = |source| SetupError::Fonts { folder: folder.to_owned(), source };
        crate::fonts::add_all(folder, &fonts, sandbox).await.map_err(unreadable)?;
    }
    Ok(fonts)
}

/// Returns a sandbox for `permits` concurrent readings.
///
/// # Errors
/// [`SetupError::Sandbox`].
pub fn sandbox(permits: usize) -> Result<Sandbox, SetupError> {
    Sandbox::new(permits).map_err(SetupError::Sandbox)
}

/// Returns the number of threads that can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the shared context of the jobs, and how many jobs to work on at once.
///
/// # Errors
/// [`SetupError`].
pub fn context(setup: Setup<'_>) -> Result<(Context, usize), SetupError> {
    let Setup { loops, device, guard, copywriter, blobs, fonts } = setup;
    let renderer = Renderer::open(device, fonts, loops.unwrap_or(2 * cores()))?;
    // A job that waits for a language model uses no core.
    let calls = copywriter.as_ref().map_or(0, |copywriter| copywriter.model().calls());
    let drawing = loops.unwrap_or_else(|| concurrency::loops(&renderer, cores()));
    let loops = loops.unwrap_or(drawing + calls);
    // A job that waits for a device uses no core meanwhile.
    let threads = if renderer.has_devices() { drawing.max(cores()) } else { cores() };
    let context = Context {
        blobs,
        renderer,
        fetcher: Fetcher::new(Parts::of_the_system(guard.clone())),
        sandbox: sandbox(loops)?,
        copywriter,
        brands: Brands::default(),
        photos: Photos::default(),
        threads: FairSemaphore::new(threads, AccountLimits::UNBOUNDED),
    };
    Ok((context, loops))
}

/// A language model that composes pages, and its limits.
#[derive(Debug, Clone)]
pub struct Model {
    /// Its base URL.
    pub base_url: String,
    /// Its name at that URL.
    pub name: String,
    /// Its API key.
    pub key: Option<Key>,
    /// Timeout of one call, in seconds.
    pub timeout_s: u32,
    /// Maximum concurrent calls.
    pub calls: u32,
    /// Tokens that it may use per UTC day.
    pub daily_tokens: Option<u64>,
    /// Seconds that it may spend on one generation.
    pub budget_s: u32,
    /// Tokens that it may use for one generation.
    pub budget_tokens: u64,
    /// The price of its tokens, if configured.
    pub price: Option<Price>,
    /// Whether it accepts images.
    pub sees: bool,
}

/// Returns the price of a model's tokens, if both settings are given.
pub fn price(input: Option<f64>, output: Option<f64>) -> Option<Price> {
    Some(Price { input: input?, output: output? })
}

/// Returns the copywriter that uses this model. Starts a task that asks the server whether the model exists.
///
/// # Errors
/// [`SetupError::Model`].
pub fn copywriter(model: Model) -> Result<Copywriter, SetupError> {
    let spending = Spending { time: Duration::from_secs(model.budget_s.into()), tokens: model.budget_tokens };
    tracing::info!(model = model.name, at = model.base_url, "using a language model to compose pages");
    let settings = llm::Settings {
        base_url: model.base_url,
        model: model.name,
        key: model.key,
        timeout: Duration::from_secs(model.timeout_s.into()),
        calls: model.calls as usize,
        daily_tokens: model.daily_tokens,
        price: model.price,
    };
    let copywriter = Copywriter::new(llm::Model::new(settings).map_err(SetupError::Model)?, spending, model.sees);
    // Reports a wrong setting at the start rather than in the first generation.
    let probed = copywriter.model();
    tokio::spawn(async move { probed.probe().await });
    Ok(copywriter)
}
