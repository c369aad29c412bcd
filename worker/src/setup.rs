//! What a worker's tools are made of, whichever process it runs in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use fleet::blobs::Blobs;
use fleet::llm::{self, Key, Price};
use fleet::net::{Fetcher, Guard, Parts};
use fleet::sandbox::Sandbox;
use fleet::share::{Each, Share};
use render_core::text::Fonts;

use crate::Tools;
use crate::brand::Brands;
use crate::concurrency;
use crate::copywriter::{Copywriter, Spending};
use crate::renderer::{Choice, ChoiceError, Renderer};
use crate::shelf::Photos;

/// Why a worker can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A device that was asked for can't be had.
    #[error(transparent)]
    Device(#[from] ChoiceError),
    /// The folder of fonts can't be read.
    #[error("can't read the folder of fonts {folder}: {source}")]
    Fonts {
        /// Which folder.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Nothing can be run in the sandbox.
    #[error("this executable can't be found, so hostile bytes can't be read in a process of their own: {0}")]
    Sandbox(#[source] std::io::Error),
    /// The language model can't be used as it is described.
    #[error("the language model can't be used: {0}")]
    Model(#[source] llm::BadSetting),
}

/// What differs from one worker to another.
pub struct Setup<'a> {
    /// Jobs worked on at once; what suits the machine where nobody says.
    pub loops: Option<usize>,
    /// What draws.
    pub device: &'a Choice,
    /// Which pages may be fetched.
    pub guard: &'a Guard,
    /// What writes, where a language model is configured.
    pub copywriter: Option<Copywriter>,
    /// Where inputs, pages and pictures rest.
    pub blobs: Blobs,
    /// The faces that there are.
    pub fonts: Fonts,
}

/// The built-in faces, and those of a folder, read in a sandbox.
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

/// A sandbox for so many readings at once.
///
/// # Errors
/// [`SetupError::Sandbox`].
pub fn sandbox(places: usize) -> Result<Sandbox, SetupError> {
    Sandbox::new(places).map_err(SetupError::Sandbox)
}

/// Threads that can run at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The tools, and how many jobs are done with them at once.
///
/// # Errors
/// [`SetupError`].
pub fn tools(setup: Setup<'_>) -> Result<(Tools, usize), SetupError> {
    let Setup { loops, device, guard, copywriter, blobs, fonts } = setup;
    let renderer = Renderer::open(device, fonts, loops.unwrap_or(2 * cores()))?;
    // A job that waits for a language model uses no core.
    let calls = copywriter.as_ref().map_or(0, |copywriter| copywriter.model().calls());
    let drawing = loops.unwrap_or_else(|| concurrency::loops(&renderer, cores()));
    let loops = loops.unwrap_or(drawing + calls);
    // One that waits for a device computes nothing meanwhile.
    let threads = if renderer.has_devices() { drawing.max(cores()) } else { cores() };
    let tools = Tools {
        blobs,
        renderer,
        fetcher: Fetcher::new(Parts::of_the_system(guard.clone())),
        sandbox: sandbox(loops)?,
        copywriter,
        brands: Brands::default(),
        photos: Photos::default(),
        threads: Share::new(threads, Each::UNBOUNDED),
    };
    Ok((tools, loops))
}

/// A language model that writes, and what it may take.
#[derive(Debug, Clone)]
pub struct Model {
    /// Where it answers.
    pub base_url: String,
    /// Its name there.
    pub name: String,
    /// Its key.
    pub key: Option<Key>,
    /// Seconds that one call may take.
    pub timeout_s: u32,
    /// Calls that are out at once.
    pub calls: u32,
    /// Tokens that it may take in a day of UTC.
    pub daily_tokens: Option<u64>,
    /// Seconds that it may take over one generation.
    pub budget_s: u32,
    /// Tokens that it may take for one generation.
    pub budget_tokens: u64,
    /// The price of its tokens, where it is known.
    pub price: Option<Price>,
    /// Whether it accepts images.
    pub sees: bool,
}

/// The price of a model's tokens, where both settings name it.
pub fn price(input: Option<f64>, output: Option<f64>) -> Option<Price> {
    Some(Price { input: input?, output: output? })
}

/// The copywriter that asks this model. Starts a task that asks the server whether the model is there.
///
/// # Errors
/// [`SetupError::Model`].
pub fn copywriter(model: Model) -> Result<Copywriter, SetupError> {
    let spending = Spending { time: Duration::from_secs(model.budget_s.into()), tokens: model.budget_tokens };
    tracing::info!(model = model.name, at = model.base_url, "a language model composes pages");
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
    // Tells the operator at the start what would otherwise show in the first generation.
    let probed = copywriter.model();
    tokio::spawn(async move { probed.probe().await });
    Ok(copywriter)
}
