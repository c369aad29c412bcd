//! Every setting, once: its name, type, default and explanation stand in the list below, and flags, environment, file
//! and help all come from it.
//!
//! A flag goes before the environment, that before the file, that before the default. A key of the file or a variable of
//! the environment that looks like a setting and is none is refused.

mod values;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Parser;
use fleet::blobs::{Access, Place};
use fleet::llm::Key;
use fleet::nats::{self, Unread};
use serde::Deserialize;

use crate::accounts::MonthlyCredits;
use crate::command;
pub use values::{Addresses, BaseUrl, Host, LogFormat, Origin, PlanName};

/// The most credits that are given at once: sums of them stay far from what can be counted.
pub const MOST_CREDITS: u64 = 1_000_000_000;

/// Name of the database's folder in the data folder.
pub const STATE: &str = "state";

/// Why the settings can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Wrong flags or environment, or a question for help or the version.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// The file can't be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file says something wrong.
    #[error("{path}: {source}")]
    Invalid {
        /// Which file.
        path: PathBuf,
        /// What.
        source: Box<toml::de::Error>,
    },
    /// A variable of the environment that looks like a setting and is none.
    #[error("{name} is no setting; did you mean {nearest}?")]
    UnknownVariable {
        /// Its name.
        name: String,
        /// The setting's that is spelt most like it.
        nearest: &'static str,
    },
    /// A value that can't be meant.
    #[error("{setting}: {why}")]
    Value {
        /// Which setting.
        setting: &'static str,
        /// Why not.
        why: String,
    },
}

macro_rules! settings {
    (
        with default { $($name:ident: $type:ty = $default:literal, $env:literal, $help:literal;)+ }
        optional { $($oname:ident: $otype:ty, $oenv:literal, $ohelp:literal;)+ }
        any number { $($mname:ident: $mtype:ty, $menv:literal, $mhelp:literal;)+ }
    ) => {
        /// What one source says.
        #[derive(Debug, Default, clap::Args, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        struct Given {
            $(#[arg(long, env = $env, hide_env_values = true, value_name = "VALUE", help = concat!($help, " [default: ", $default, "]"))]
            $name: Option<$type>,)+
            $(#[arg(long, env = $oenv, hide_env_values = true, value_name = "VALUE", help = $ohelp)]
            $oname: Option<$otype>,)+
            $(#[arg(long, env = $menv, hide_env_values = true, value_name = "VALUE", value_delimiter = ',', help = $mhelp)]
            #[serde(default)]
            $mname: Vec<$mtype>,)+
        }

        /// The settings.
        #[derive(Debug, Clone)]
        pub struct Config {
            $(#[doc = $help] pub $name: $type,)+
            $(#[doc = $ohelp] pub $oname: Option<$otype>,)+
            $(#[doc = $mhelp] pub $mname: Vec<$mtype>,)+
        }

        /// The environment variables that are settings.
        const ENVIRONMENT: &[&str] = &["VIVID_CONFIG", command::URL_VARIABLE, command::TOKEN_VARIABLE, $($env,)+ $($oenv,)+ $($menv,)+];

        impl Config {
            fn from_sources(flags_and_environment: Given, file: Given) -> Self {
                Self {
                    $($name: flags_and_environment.$name.or(file.$name).unwrap_or_else(|| {
                        $default.parse().expect("the defaults are read by a test")
                    }),)+
                    $($oname: flags_and_environment.$oname.or(file.$oname),)+
                    $($mname: Some(flags_and_environment.$mname).filter(|v| !v.is_empty()).unwrap_or(file.$mname),)+
                }
            }
        }
    };
}

settings! {
    with default {
        listen: SocketAddr = "127.0.0.1:8080", "VIVID_LISTEN",
            "Address to serve on; port 0 picks a free one";
        admin_listen: SocketAddr = "127.0.0.1:8081", "VIVID_ADMIN_LISTEN",
            "Address of the operator's API, which wants the token in the data folder; port 0 picks a free one";
        data_dir: PathBuf = "./data", "VIVID_DATA_DIR",
            "Folder of everything that is kept";
        rate_get: u32 = "60", "VIVID_RATE_GET",
            "GET requests a minute and account";
        rate_generate: u32 = "20", "VIVID_RATE_GENERATE",
            "Generations a minute and account";
        rate_other: u32 = "30", "VIVID_RATE_OTHER",
            "All other requests a minute and account";
        url_lifetime_s: u32 = "604800", "VIVID_URL_LIFETIME_S",
            "Seconds that an image URL stays valid";
        max_text_chars: u32 = "200000", "VIVID_MAX_TEXT_CHARS",
            "Characters of a text input, at most 200000";
        max_images: u32 = "100", "VIVID_MAX_IMAGES",
            "Images of one generation";
        max_backlog: u32 = "10000", "VIVID_MAX_BACKLOG",
            "Accepted and unfinished images beyond which new generations are refused for a while";
        max_wait_s: u32 = "900", "VIVID_MAX_WAIT_S",
            "Seconds that the oldest job may have waited beyond which new generations are refused; 0 for any time";
        max_brands: u32 = "50", "VIVID_MAX_BRANDS",
            "Brand kits of one account, at most 500";
        credits_free: u64 = "100", "VIVID_CREDITS_FREE",
            "Credits that the free plan gives each month";
        credits_starter: u64 = "1000", "VIVID_CREDITS_STARTER",
            "Credits that the starter plan gives each month";
        credits_pro: u64 = "5000", "VIVID_CREDITS_PRO",
            "Credits that the pro plan gives each month";
        credits_business: u64 = "20000", "VIVID_CREDITS_BUSINESS",
            "Credits that the business plan gives each month";
        owner_email: String = "owner@localhost", "VIVID_OWNER_EMAIL",
            "E-mail address under which whoever runs the service signs in to the console; read at the first start";
        max_connections: u32 = "12000", "VIVID_MAX_CONNECTIONS",
            "Connections at once; further ones are answered 503";
        max_connections_per_address: u32 = "1000", "VIVID_MAX_CONNECTIONS_PER_ADDRESS",
            "Connections at once of one address that is no trusted proxy";
        max_streams: u32 = "20", "VIVID_MAX_STREAMS",
            "Streams of events that an account may have open, at most 1000";
        keep_days: u32 = "0", "VIVID_KEEP_DAYS",
            "Days that a generation and its images are kept after it was accepted; 0 keeps them for good";
        keep_images_days: u32 = "0", "VIVID_KEEP_IMAGES_DAYS",
            "Days that images are kept after their generation was accepted, which stays; 0 keeps them as long as that";
        store_redirect: bool = "false", "VIVID_STORE_REDIRECT",
            "Whether clients are sent to the bucket itself for images, by signed URLs of five minutes: true or false";
        queue_prefix: String = "vivid", "VIVID_QUEUE_PREFIX",
            "What this deployment calls itself on the queue";
        device: String = "auto", "VIVID_DEVICE",
            "What draws: auto (every graphics card, else the CPU), cpu, or devices by number or name, separated by commas";
        llm_timeout_s: u32 = "60", "VIVID_LLM_TIMEOUT_S",
            "Seconds that one call of the language model may take";
        llm_budget_s: u32 = "120", "VIVID_LLM_BUDGET_S",
            "Seconds that the language model may take over one generation, at most 600";
        llm_budget_tokens: u64 = "100000", "VIVID_LLM_BUDGET_TOKENS",
            "Tokens that the language model may take for one generation, prompts and answers together";
        llm_calls: u32 = "4", "VIVID_LLM_CALLS",
            "Calls of the language model that are out at once";
        export_every_s: u32 = "3600", "VIVID_EXPORT_EVERY_S",
            "Seconds between copies of the state in the folder exports of the data folder; 0 makes none";
        export_keep: u32 = "24", "VIVID_EXPORT_KEEP",
            "Copies of the state that are kept";
        keep_uploads_s: u32 = "86400", "VIVID_KEEP_UPLOADS_S",
            "Seconds that an uploaded file can be used for, at least 60";
        reserve_mib: u64 = "64", "VIVID_RESERVE_MIB",
            "MiB of the disk that are kept free: below, nothing is written; images and texts leave twice as much";
        log: String = "info", "VIVID_LOG",
            "What is logged to standard error, as tracing's filters say it";
        log_format: LogFormat = "text", "VIVID_LOG_FORMAT",
            "How it is logged: text or json";
    }
    optional {
        public_url: BaseUrl, "VIVID_PUBLIC_URL",
            "Address that clients reach the service at; image URLs begin with it [default: the listen address]";
        store: Place, "VIVID_STORE",
            "Where images and large texts lie: a folder, or s3://BUCKET or s3://BUCKET/PREFIX [default: store in the data folder]";
        store_endpoint: String, "VIVID_STORE_ENDPOINT",
            "URL of a server of one's own that speaks S3's language [default: AWS_ENDPOINT_URL, else Amazon's]";
        store_region: String, "VIVID_STORE_REGION",
            "The bucket's region [default: AWS_REGION]";
        store_key_id: String, "VIVID_STORE_KEY_ID",
            "Id of the bucket's access key [default: AWS_ACCESS_KEY_ID, or what AWS gives the machine]";
        store_key_file: PathBuf, "VIVID_STORE_KEY_FILE",
            "File of the secret of that key [default: AWS_SECRET_ACCESS_KEY]";
        queue: Unread, "VIVID_QUEUE",
            "Servers of a queue that workers on other machines reach: nats://HOST:PORT, several separated by commas [default: none]";
        queue_credentials: PathBuf, "VIVID_QUEUE_CREDENTIALS",
            "File of credentials for the queue, as nsc writes it [default: none]";
        queue_ca: PathBuf, "VIVID_QUEUE_CA",
            "PEM file of certificates to trust of the queue's servers, beside the system's [default: none]";
        fonts: PathBuf, "VIVID_FONTS",
            "Folder of font files (TTF, OTF, WOFF, WOFF2) for characters that no built-in face has [default: none]";
        workers: u32, "VIVID_WORKERS",
            "Jobs worked on at once in this process; 0 works on none [default: one a core; with --queue none]";
        llm_base_url: BaseUrl, "VIVID_LLM_BASE_URL",
            "Where a language model answers in OpenAI's protocol, such as http://127.0.0.1:11434/v1 [default: none]";
        llm_model: String, "VIVID_LLM_MODEL",
            "The language model's name there";
        llm_api_key: Key, "VIVID_LLM_API_KEY",
            "Its key; better in the environment or the file, for flags are seen by everybody on the machine";
        llm_daily_tokens: u64, "VIVID_LLM_DAILY_TOKENS",
            "Tokens that the language model may take in a day of UTC [default: no limit]";
        tls_cert: PathBuf, "VIVID_TLS_CERT",
            "PEM file of the certificate and those that lead to its authority; with --tls-key the service speaks TLS [default: none]";
        tls_key: PathBuf, "VIVID_TLS_KEY",
            "PEM file of the certificate's key [default: none]";
        metrics_listen: SocketAddr, "VIVID_METRICS_LISTEN",
            "Address of GET /metrics for Prometheus [default: off]";
        trusted_proxy: Addresses, "VIVID_TRUSTED_PROXY",
            "IP addresses, separated by commas, whose X-Forwarded-For names the client [default: none]";
    }
    any number {
        allow_host: Host, "VIVID_ALLOW_HOST",
            "NAME or NAME:PORT of a host that is not public and yet may be fetched from and sent to; again for each [default: none]";
        key_plans: PlanName, "VIVID_KEY_PLANS",
            "Plans whose accounts may use API keys, by name, separated by commas [default: all]";
        cors_origin: Origin, "VIVID_CORS_ORIGIN",
            "Origin (scheme, host, port) whose pages may call the API from a browser, or *; again for each [default: none]";
    }
}

#[derive(Debug, Parser)]
#[command(
    name = "vivid",
    version,
    about = "Turns text into finished, designed images behind a REST API",
    after_help = "Commands of the operator: account, key, member, generation, dead-letter, fleet, export, import; `vivid account --help` tells more"
)]
struct CommandLine {
    /// TOML file with any of the settings below, named without the dashes
    #[arg(long, env = "VIVID_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    given: Given,
}

impl Config {
    /// The settings of this process.
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

    fn check(&self) -> Result<(), ConfigError> {
        let refuse = |setting, why: &str| Err(ConfigError::Value { setting, why: why.into() });
        if self.max_text_chars as usize > render_core::limits::TEXT_CHARS || self.max_text_chars == 0 {
            return refuse("max-text-chars", "from 1 to 200000");
        }
        if let Some(Err(why)) = self.queue.as_ref().map(Unread::read) {
            return refuse("queue", &why.to_string());
        }
        if !(1..=500).contains(&self.max_images) {
            return refuse("max-images", "from 1 to 500");
        }
        if !(1..=500).contains(&self.max_brands) {
            return refuse("max-brands", "from 1 to 500");
        }
        if !(1..=1000).contains(&self.max_streams) {
            return refuse("max-streams", "from 1 to 1000");
        }
        match (&self.llm_base_url, &self.llm_model) {
            (Some(_), None) => return refuse("llm-model", "needed beside llm-base-url"),
            (None, Some(_)) => return refuse("llm-base-url", "needed beside llm-model"),
            (None, None) if self.llm_api_key.is_some() => return refuse("llm-base-url", "needed beside llm-api-key"),
            _ => {}
        }
        match (&self.store_key_id, &self.store_key_file) {
            (Some(_), None) => return refuse("store-key-file", "needed beside store-key-id"),
            (None, Some(_)) => return refuse("store-key-id", "needed beside store-key-file"),
            _ => {}
        }
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => return refuse("tls-key", "needed beside tls-cert"),
            (None, Some(_)) => return refuse("tls-cert", "needed beside tls-key"),
            _ => {}
        }
        if self.max_connections == 0 || self.max_connections_per_address == 0 {
            return refuse("max-connections", "at least 1, and max-connections-per-address too");
        }
        if self.llm_timeout_s == 0 || !(1..=600).contains(&self.llm_budget_s) {
            return refuse("llm-budget-s", "from 1 to 600, and llm-timeout-s at least 1");
        }
        if !(1..=256).contains(&self.llm_calls) {
            return refuse("llm-calls", "from 1 to 256");
        }
        if self.keep_uploads_s < 60 {
            return refuse("keep-uploads-s", "at least 60");
        }
        if self.export_keep == 0 {
            return refuse("export-keep", "at least 1");
        }
        if self.reserve_mib > 1 << 40 {
            return refuse("reserve-mib", "no disk has so many");
        }
        let credits = [self.credits_free, self.credits_starter, self.credits_pro, self.credits_business];
        if credits.iter().any(|n| *n > MOST_CREDITS) {
            return refuse("credits-free", "what a plan gives a month is at most 1000000000");
        }
        if self.url_lifetime_s == 0 {
            return refuse("url-lifetime-s", "at least 1");
        }
        Ok(())
    }

    /// How to reach the queue, where it is not in this process.
    pub fn nats(&self) -> Option<nats::Settings> {
        Some(nats::Settings {
            servers: self.queue.as_ref()?.read().ok()?,
            credentials: self.queue_credentials.clone(),
            ca: self.queue_ca.clone(),
            name: "coordinator".into(),
        })
    }

    /// What plans give each month.
    pub fn monthly_credits(&self) -> MonthlyCredits {
        MonthlyCredits {
            free: self.credits_free,
            starter: self.credits_starter,
            pro: self.credits_pro,
            business: self.credits_business,
        }
    }

    /// Folder of the database.
    pub fn state_dir(&self) -> PathBuf {
        self.data_dir.join(STATE)
    }

    /// Folder of the object store.
    pub fn store(&self) -> Place {
        self.store.clone().unwrap_or_else(|| Place::Folder(self.data_dir.join("store")))
    }

    /// How the object store is reached.
    pub fn store_access(&self) -> Access {
        Access {
            endpoint: self.store_endpoint.clone(),
            region: self.store_region.clone(),
            key_id: self.store_key_id.clone(),
            key_file: self.store_key_file.clone(),
        }
    }

    /// Jobs worked on at once.
    pub fn worker_loops(&self) -> usize {
        let cores =
            || if self.queue.is_some() { 0 } else { std::thread::available_parallelism().map_or(1, usize::from) };
        self.workers.map_or_else(cores, |n| n as usize)
    }
}

/// What comes after `VIVID_` in the names that the project's own tests go by; builds for use have no failpoints.
const OF_TESTS: &[&str] = match cfg!(debug_assertions) {
    true => &["BINARY", "BLESS", "CHAOS", "CHAOS_SEED", "FAILPOINT"],
    false => &["BINARY", "BLESS", "CHAOS", "CHAOS_SEED"],
};

/// Refuses variables that look like settings and are none: typos, most likely.
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
mod tests {
    use std::io::Write;

    use super::*;
    use crate::accounts::Plan;

    fn read(arguments: &[&str]) -> Result<Config, ConfigError> {
        Config::read(std::iter::once("vivid").chain(arguments.iter().copied()).map(OsString::from))
    }

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn the_defaults_are_sound() {
        let config = read(&[]).unwrap();
        assert_eq!(config.listen, "127.0.0.1:8080".parse().unwrap());
        assert_eq!((config.rate_get, config.rate_generate, config.rate_other), (60, 20, 30));
        assert_eq!(config.store().to_string(), "./data/store");
        assert!(config.metrics_listen.is_none() && config.worker_loops() >= 1);
    }

    #[test]
    fn a_flag_goes_before_the_file_and_that_before_the_default() {
        let file = file("rate-get = 7\nrate-other = 8\nlog-format = 'json'\ntrusted-proxy = ['10.0.0.1']\n");
        let path = file.path().to_str().unwrap();
        let config = read(&["--config", path, "--rate-get", "9"]).unwrap();
        assert_eq!((config.rate_get, config.rate_other, config.rate_generate), (9, 8, 20));
        assert_eq!(config.log_format, LogFormat::Json);
        assert_eq!(config.trusted_proxy, Some("10.0.0.1".parse().unwrap()));
    }

    #[test]
    fn hosts_are_allowed_one_by_one_or_all_at_once() {
        let hosts = |config: Config| config.allow_host.iter().map(|h| h.0.to_string()).collect::<Vec<_>>();
        assert!(hosts(read(&[]).unwrap()).is_empty());
        let repeated = read(&["--allow-host", "wiki.corp", "--allow-host", "10.0.0.1:8080"]).unwrap();
        assert_eq!(hosts(repeated), ["wiki.corp", "10.0.0.1:8080"]);
        assert_eq!(hosts(read(&["--allow-host", "a.corp, [::1]:99"]).unwrap()), ["a.corp", "[::1]:99"]);
        let file = file("allow-host = ['wiki.corp']\n");
        let path = file.path().to_str().unwrap();
        assert_eq!(hosts(read(&["--config", path]).unwrap()), ["wiki.corp"]);
        assert_eq!(hosts(read(&["--config", path, "--allow-host", "b.corp"]).unwrap()), ["b.corp"]);
    }

    #[test]
    fn plans_are_told_by_name() {
        let plans = |config: Config| config.key_plans.iter().map(|p| p.0).collect::<Vec<_>>();
        assert!(plans(read(&[]).unwrap()).is_empty());
        assert_eq!(plans(read(&["--key-plans", "free, pro"]).unwrap()), [Plan::Free, Plan::Pro]);
        let file = file("key-plans = ['pro']\n");
        assert_eq!(plans(read(&["--config", file.path().to_str().unwrap()]).unwrap()), [Plan::Pro]);
    }

    #[test]
    fn origins_are_spelt_as_browsers_do() {
        let one = |o: &str| Origin::One(o.to_owned());
        let origins = |given: &str| read(&["--cors-origin", given]).unwrap().cors_origin;
        assert_eq!(origins("*"), [Origin::Any]);
        assert_eq!(
            origins("https://App.example:443/,http://localhost:3000"),
            [one("https://app.example"), one("http://localhost:3000")]
        );
        assert_eq!(origins("http://app.example:80"), [one("http://app.example")]);
        assert_eq!(origins("https://app.example:80"), [one("https://app.example:80")]);
    }

    #[test]
    fn the_environment_stands_between_flag_and_file() {
        // clap reads the process's environment; its precedence is taken from what it was told.
        let parsed = <CommandLine as clap::CommandFactory>::command();
        for argument in parsed.get_arguments().filter(|a| !matches!(a.get_id().as_str(), "help" | "version")) {
            let wanted = format!("VIVID_{}", argument.get_id().as_str().to_uppercase());
            assert_eq!(argument.get_env().and_then(|e| e.to_str()), Some(wanted.as_str()));
            assert!(ENVIRONMENT.contains(&wanted.as_str()));
        }
    }

    #[test]
    fn unknown_keys_are_refused_everywhere() {
        assert!(matches!(read(&["--lisen", "1"]), Err(ConfigError::Arguments(_))));
        let file = file("lisen = '127.0.0.1:1'\n");
        let error = read(&["--config", file.path().to_str().unwrap()]).unwrap_err();
        assert!(error.to_string().contains("lisen"), "{error}");
    }

    #[test]
    fn unknown_variables_are_refused_with_what_may_be_meant() {
        let refusal = |name: &str| check_environment([name.to_owned()]).map_err(|e| e.to_string());
        assert_eq!(
            refusal("VIVID_RATE_GTE"),
            Err("VIVID_RATE_GTE is no setting; did you mean VIVID_RATE_GET?".to_owned())
        );
        let other = refusal("VIVID_XYZZY_PLUGH_QUUX").unwrap_err();
        assert!(other.starts_with("VIVID_XYZZY_PLUGH_QUUX is no setting"), "{other}");
        for fine in ["PATH", "VIVID_CONFIG", "VIVID_RATE_GET", "VIVID_BINARY", "VIVID_BLESS", "VIVID_CHAOS_SEED"] {
            assert_eq!(refusal(fine), Ok(()), "{fine}");
        }
    }

    #[test]
    fn a_language_model_is_reached_by_address_and_name_and_its_key_is_shown_nowhere() {
        let file = file("llm-base-url = 'https://llm.example/v1/'\nllm-model = 'small'\nllm-api-key = ' sk-secret '\n");
        let config = read(&["--config", file.path().to_str().unwrap()]).unwrap();
        assert_eq!(config.llm_base_url.as_ref().unwrap().to_string(), "https://llm.example/v1");
        assert!(config.llm_api_key.is_some() && !format!("{config:?}").contains("secret"));
        let mut command = <CommandLine as clap::CommandFactory>::command();
        // clap prints what variables hold, unless it is told not to.
        assert!(
            command
                .get_arguments()
                .filter(|a| a.get_env().is_some())
                .all(|a| a.is_hide_env_values_set() || a.get_id() == "config")
        );
        assert!(command.render_long_help().to_string().contains("--llm-api-key"));
    }

    #[test]
    fn values_that_cannot_be_meant_are_refused() {
        for wrong in [
            ["--max-text-chars", "200001"],
            ["--max-images", "0"],
            ["--max-brands", "501"],
            ["--max-streams", "0"],
            ["--url-lifetime-s", "0"],
            ["--public-url", "example.org"],
            ["--llm-base-url", "http://127.0.0.1:11434/v1"],
            ["--llm-base-url", "127.0.0.1:11434"],
            ["--llm-model", "small"],
            ["--llm-api-key", "sk-1"],
            ["--llm-budget-s", "601"],
            ["--llm-timeout-s", "0"],
            ["--llm-calls", "0"],
            ["--tls-cert", "a.pem"],
            ["--store-key-id", "k"],
            ["--tls-key", "a.pem"],
            ["--max-connections", "0"],
            ["--max-connections-per-address", "0"],
            ["--cors-origin", "app.example"],
            ["--cors-origin", "https://app.example/path"],
            ["--cors-origin", "null"],
            ["--public-url", "http://user@example.org"],
            ["--trusted-proxy", "10.0.0.1,nobody"],
            ["--listen", "localhost"],
            ["--log-format", "xml"],
            ["--allow-host", "http://wiki.corp"],
            ["--allow-host", "*.corp"],
            ["--key-plans", "pro,gold"],
        ] {
            assert!(read(&wrong).is_err(), "{wrong:?}");
        }
        let config = read(&["--public-url", "https://example.org/vivid/"]).unwrap();
        assert_eq!(config.public_url.unwrap().to_string(), "https://example.org/vivid");
    }
}
