//! Reads and checks the settings. `settings` lists them; flags, environment variables, keys of the file and the help
//! text are all generated from that list.
//!
//! A flag overrides the environment, which overrides the file, which overrides the default. An unknown key in the file,
//! or an unknown environment variable that looks like a setting, is an error.

mod settings;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;
use fleet::blobs::{Access, Location};
use fleet::nats::{self, Unread};
use fleet::net::Guard;

use crate::accounts::{MonthlyCredits, StorageQuotas};
pub use settings::Config;
use settings::{ENVIRONMENT, Given};
pub use values::{
    Addresses, BaseUrl, Host, LogFormat, ModelPlace, Net, Origin, PlanName, TOKEN_VARIABLE, URL_VARIABLE,
};

/// Maximum number of credits per grant. Sums of such amounts stay far below an overflow.
pub const MOST_CREDITS: u64 = 1_000_000_000;

/// Size in MiB of the largest request body, which contains a PDF in base64.
const LARGEST_BODY_MIB: u32 = 36;
/// Maximum MiB of storage that a plan may include: larger than any store.
const MOST_STORAGE_MIB: u64 = 1 << 40;

/// Name of the state's folder in the data folder.
pub const STATE: &str = "state";

/// Why the settings can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Invalid flags or environment variables, or a request for help or the version.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// The file can't be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file's contents are invalid.
    #[error("{path}: {source}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: Box<toml::de::Error>,
    },
    /// An environment variable looks like a setting but is none.
    #[error("{name} is not a setting; did you mean {nearest}?")]
    UnknownVariable {
        /// Its name.
        name: String,
        /// The most similar name of a setting.
        nearest: &'static str,
    },
    /// A setting has an invalid value.
    #[error("{setting}: {why}")]
    Value {
        /// The setting.
        setting: &'static str,
        /// The reason.
        why: String,
    },
}

#[derive(Debug, Parser)]
#[command(
    name = "coordinator",
    version,
    about = "Turns text into finished, designed images behind a REST API",
    after_help = "Admin commands: account, key, member, generation, dead-letter, fleet, scrub, export, import, recover; see `coordinator account --help`"
)]
struct CommandLine {
    /// TOML file with any of the settings below, named without the dashes
    #[arg(long, env = "VIVID_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    given: Given,
}

impl Config {
    /// Reads the settings of this process.
    ///
    /// # Errors
    /// [`ConfigError`].
    pub fn load() -> Result<Self, ConfigError> {
        let config = Self::read(std::env::args_os())?;
        check_environment(std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()))?;
        Ok(config)
    }

    fn read(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ConfigError> {
        let CommandLine { config, given } = CommandLine::try_parse_from(arguments)?;
        let file = config.as_deref().map(read_file).transpose()?.unwrap_or_default();
        let config = Self::from_sources(given, file);
        config.check()?;
        Ok(config)
    }

    /// Returns whether to look for a model server on this machine.
    pub fn looks_for_model(&self) -> bool {
        match self.llm_base_url {
            Some(ModelPlace::Auto) => true,
            // A fleet's workers run on other machines.
            None => self.queue.is_none(),
            Some(ModelPlace::Off | ModelPlace::At(_)) => false,
        }
    }

    /// Returns the language model's URL and name, if one is configured.
    pub fn model(&self) -> Option<(&BaseUrl, &str)> {
        match (&self.llm_base_url, &self.llm_model) {
            (Some(ModelPlace::At(url)), Some(model)) => Some((url, model)),
            _ => None,
        }
    }

    /// Returns these settings with a model that was found on this machine, or without a model.
    #[must_use]
    pub fn with_found(self, found: Option<(BaseUrl, String)>) -> Self {
        match found {
            Some((url, model)) => Self { llm_base_url: Some(ModelPlace::At(url)), llm_model: Some(model), ..self },
            None => Self { llm_base_url: Some(ModelPlace::Off), ..self },
        }
    }

    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |setting, why: &str| Err(ConfigError::Value { setting, why: why.into() });
        if self.max_text_chars as usize > render_core::limits::TEXT_CHARS || self.max_text_chars == 0 {
            return refuse("max-text-chars", "must be from 1 to 200000");
        }
        if let Some(Err(why)) = self.queue.as_ref().map(Unread::read) {
            return refuse("queue", &why.to_string());
        }
        if !(1..=500).contains(&self.max_images) {
            return refuse("max-images", "must be from 1 to 500");
        }
        if !(1..=500).contains(&self.max_brands) {
            return refuse("max-brands", "must be from 1 to 500");
        }
        if !(1..=1000).contains(&self.max_streams) {
            return refuse("max-streams", "must be from 1 to 1000");
        }
        let at = matches!(self.llm_base_url, Some(ModelPlace::At(_)));
        if at && self.llm_model.is_none() {
            return refuse("llm-model", "required if llm-base-url is a URL");
        }
        if !at && self.llm_api_key.is_some() {
            return refuse("llm-base-url", "must be a URL if llm-api-key is set");
        }
        if self.queue.is_some() && self.llm_base_url.is_none() && self.llm_model.is_some() {
            return refuse("llm-base-url", "required if llm-model is set");
        }
        match (&self.store_key_id, &self.store_key_file) {
            (Some(_), None) => return refuse("store-key-file", "required if store-key-id is set"),
            (None, Some(_)) => return refuse("store-key-id", "required if store-key-file is set"),
            _ => {}
        }
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => return refuse("tls-key", "required if tls-cert is set"),
            (None, Some(_)) => return refuse("tls-cert", "required if tls-key is set"),
            _ => {}
        }
        if self.max_connections == 0 || self.max_connections_per_address == 0 {
            return refuse("max-connections", "must be at least 1, and max-connections-per-address too");
        }
        self.check_prices()?;
        if self.llm_timeout_s == 0 || !(1..=1_800).contains(&self.llm_budget_s) {
            return refuse("llm-budget-s", "must be from 1 to 1,800, and llm-timeout-s at least 1");
        }
        if !(1..=256).contains(&self.llm_calls) {
            return refuse("llm-calls", "must be from 1 to 256");
        }
        if self.keep_uploads_s < 60 {
            return refuse("keep-uploads-s", "must be at least 60");
        }
        if self.export_keep == 0 {
            return refuse("export-keep", "must be at least 1");
        }
        if !(1..=100_000).contains(&self.scrub_mib_s) {
            return refuse("scrub-mib-s", "must be from 1 to 100000; scrub-days 0 turns the scrub off");
        }
        if self.scrub_days > 3_650 {
            return refuse("scrub-days", "must be at most 3650");
        }
        if self.reserve_mib > 1 << 40 {
            return refuse("reserve-mib", "must be at most 1099511627776");
        }
        let credits = [self.credits_free, self.credits_starter, self.credits_pro, self.credits_business];
        if credits.iter().any(|n| *n > MOST_CREDITS) {
            return refuse("credits-free", "the monthly credits of a plan are at most 1000000000");
        }
        let storage = self.storage_mib();
        if storage.iter().any(|mib| *mib > MOST_STORAGE_MIB) {
            return refuse("storage-free-mib", "the storage of a plan is at most 1099511627776");
        }
        if self.url_lifetime_s == 0 {
            return refuse("url-lifetime-s", "must be at least 1");
        }
        self.check_edge()
    }

    /// Checks the settings of request bodies, and of the hosts that the service connects to.
    fn check_edge(&self) -> Result<(), ConfigError> {
        let refuse = |setting, why: &str| Err(ConfigError::Value { setting, why: why.into() });
        if self.max_body_mib_per_account < LARGEST_BODY_MIB {
            return refuse("max-body-mib-per-account", "must be at least 36, the size of the largest body");
        }
        // Large bodies leave a quarter of the budget to small ones.
        if self.max_body_mib < LARGEST_BODY_MIB * 4 / 3 || self.max_body_mib < self.max_body_mib_per_account {
            return refuse("max-body-mib", "must be at least 48, and no less than max-body-mib-per-account");
        }
        if let Some(host) = self.guard().contradiction() {
            return refuse("allow-host", &format!("{host} is denied, by deny-net or as a cloud's metadata service"));
        }
        Ok(())
    }

    /// Returns the guard that checks the addresses of outgoing requests.
    pub fn guard(&self) -> Guard {
        let allowed = self.allow_host.iter().map(|host| host.0.clone()).collect();
        Guard::new(allowed).denying(self.deny_net.iter().map(|net| net.0).collect())
    }

    /// Returns how to connect to the queue, if it runs outside of this process.
    pub fn nats(&self) -> Option<nats::Settings> {
        Some(nats::Settings {
            servers: self.queue.as_ref()?.read().ok()?,
            credentials: self.queue_credentials.clone(),
            ca: self.queue_ca.clone(),
            name: "coordinator".into(),
        })
    }

    /// Returns the credits that plans grant each month.
    pub fn monthly_credits(&self) -> MonthlyCredits {
        MonthlyCredits {
            free: self.credits_free,
            starter: self.credits_starter,
            pro: self.credits_pro,
            business: self.credits_business,
        }
    }

    fn storage_mib(&self) -> [u64; 4] {
        [self.storage_free_mib, self.storage_starter_mib, self.storage_pro_mib, self.storage_business_mib]
    }

    /// Returns the storage quotas of the plans.
    pub fn storage_quotas(&self) -> StorageQuotas {
        let [free, starter, pro, business] = self.storage_mib().map(|mib| mib << 20);
        StorageQuotas { free, starter, pro, business }
    }

    /// Returns the folder of the database.
    pub fn state_dir(&self) -> PathBuf {
        self.data_dir.join(STATE)
    }

    /// Returns the location of the object store.
    pub fn store(&self) -> Location {
        self.store.clone().unwrap_or_else(|| Location::Folder(self.data_dir.join("store")))
    }

    /// Returns how to access the object store.
    pub fn store_access(&self) -> Access {
        Access {
            endpoint: self.store_endpoint.clone(),
            region: self.store_region.clone(),
            key_id: self.store_key_id.clone(),
            key_file: self.store_key_file.clone(),
        }
    }

    /// Checks the prices of the language model's tokens.
    fn check_prices(&self) -> Result<(), ConfigError> {
        let refuse = |setting, why: &str| Err(ConfigError::Value { setting, why: why.into() });
        match (self.llm_input_price, self.llm_output_price) {
            (Some(_), None) => return refuse("llm-output-price", "required if llm-input-price is set"),
            (None, Some(_)) => return refuse("llm-input-price", "required if llm-output-price is set"),
            (Some(input), Some(output)) if !(0.0..=1e6).contains(&input) || !(0.0..=1e6).contains(&output) => {
                return refuse("llm-input-price", "must be from 0 to 1000000, and llm-output-price too");
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the number of concurrent jobs. A job that waits for a language model uses no core, so each concurrent
    /// call adds one job.
    pub fn worker_loops(&self) -> usize {
        let calls = if self.model().is_some() { self.llm_calls as usize } else { 0 };
        let cores = || match self.queue {
            Some(_) => 0,
            None => std::thread::available_parallelism().map_or(1, usize::from) + calls,
        };
        self.workers.map_or_else(cores, |n| n as usize)
    }
}

/// Names after `VIVID_` that the project's own tests use. Release builds have no failpoints.
const OF_TESTS: &[&str] = match cfg!(debug_assertions) {
    true => &["BINARY", "BLESS", "CHAOS", "CHAOS_SEED", "FAILPOINT"],
    false => &["BINARY", "BLESS", "CHAOS", "CHAOS_SEED"],
};

/// Refuses variables that look like settings but are none: most likely typos.
fn check_environment(names: impl IntoIterator<Item = String>) -> Result<(), ConfigError> {
    for name in names {
        let Some(setting) = name.strip_prefix("VIVID_") else { continue };
        if OF_TESTS.contains(&setting) || ENVIRONMENT.contains(&name.as_str()) {
            continue;
        }
        let nearest = ENVIRONMENT.iter().copied().min_by_key(|known| strsim::damerau_levenshtein(known, &name));
        return Err(ConfigError::UnknownVariable { nearest: nearest.expect("there are settings"), name });
    }
    Ok(())
}

fn read_file(path: &Path) -> Result<Given, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|e| ConfigError::Invalid { path: path.to_owned(), source: Box::new(e) })
}

#[cfg(test)]
mod tests;
