//! Settings: flags or environment variables (`--queue-prefix` is `VIVID_QUEUE_PREFIX`). A setting that coordinator and
//! worker share has the same name and meaning in both.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use fleet::blobs::{Access, Location};
use fleet::llm::Key;
use fleet::nats::{NoServers, Settings, Unread};
use fleet::net::{AllowedHost, Network};
use fleet::process;
use worker::setup::{self, Model};

/// Claims jobs from the queue of a Vivid coordinator and works on them
#[derive(Debug, Parser)]
#[command(name = "vivid-worker", version, about)]
pub struct Config {
    /// Queue servers: nats://HOST:PORT or tls://HOST:PORT, several separated by commas
    #[arg(long, env = "VIVID_QUEUE", hide_env_values = true, value_name = "SERVERS")]
    queue: Unread,
    /// Name of the deployment on the queue; must equal the coordinator's
    #[arg(long, env = "VIVID_QUEUE_PREFIX", value_name = "NAME", default_value = "vivid")]
    pub queue_prefix: String,
    /// Credentials file for the queue, as nsc writes it
    #[arg(long, env = "VIVID_QUEUE_CREDENTIALS", value_name = "FILE")]
    pub queue_credentials: Option<PathBuf>,
    /// PEM file of certificates to trust for the queue's servers, in addition to the system's
    #[arg(long, env = "VIVID_QUEUE_CA", value_name = "FILE")]
    pub queue_ca: Option<PathBuf>,
    /// Where images and large texts are stored: s3://BUCKET, s3://BUCKET/PREFIX, or a folder that all machines share
    #[arg(long, env = "VIVID_STORE", value_name = "PLACE")]
    pub store: Location,
    /// URL of your own S3-compatible server [default: AWS_ENDPOINT_URL, else Amazon's]
    #[arg(long, env = "VIVID_STORE_ENDPOINT", value_name = "URL")]
    store_endpoint: Option<String>,
    /// The bucket's region [default: AWS_REGION]
    #[arg(long, env = "VIVID_STORE_REGION", value_name = "NAME")]
    store_region: Option<String>,
    /// Access key ID for the bucket [default: AWS_ACCESS_KEY_ID, or the credentials that AWS gives the machine]
    #[arg(long, env = "VIVID_STORE_KEY_ID", value_name = "ID", requires = "store_key_file")]
    store_key_id: Option<String>,
    /// File with the secret access key [default: AWS_SECRET_ACCESS_KEY]
    #[arg(long, env = "VIVID_STORE_KEY_FILE", value_name = "FILE", requires = "store_key_id")]
    store_key_file: Option<PathBuf>,
    /// Jobs worked on at once [default: one per core; with graphics cards, as many more as keep the cores busy]
    #[arg(long, env = "VIVID_WORKERS", value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,
    /// MiB of memory above which the worker claims no more jobs, finishes its running ones and restarts; 0 for no limit
    /// [default: nine tenths of the memory of its control group or the machine]
    #[arg(long, env = "VIVID_MEMORY_LIMIT_MIB", value_name = "NUMBER")]
    memory_limit_mib: Option<u64>,
    /// Name of this worker in logs and lists [default: host name and process ID]
    #[arg(long, env = "VIVID_NAME", value_name = "NAME")]
    name: Option<String>,
    /// What renders: auto (every graphics card, else the CPU), cpu, or devices by number or name, separated by commas
    #[arg(long, env = "VIVID_DEVICE", value_name = "DEVICE", default_value = "auto")]
    pub device: String,
    /// Folder of font files for characters that no built-in face covers; the same files as the coordinator's
    #[arg(long, env = "VIVID_FONTS", value_name = "FOLDER")]
    pub fonts: Option<PathBuf>,
    /// NAME or NAME:PORT of a non-public host that pages may be fetched from; repeat for several
    #[arg(long, env = "VIVID_ALLOW_HOST", value_name = "HOST", value_delimiter = ',')]
    pub allow_host: Vec<AllowedHost>,
    /// ADDRESS/LENGTH of a network that nothing is fetched from, whatever --allow-host says; repeat for several
    #[arg(long, env = "VIVID_DENY_NET", value_name = "NETWORK", value_delimiter = ',')]
    pub deny_net: Vec<Network>,
    /// Base URL of a language model that speaks OpenAI's protocol
    #[arg(long, env = "VIVID_LLM_BASE_URL", value_name = "URL", requires = "llm_model")]
    llm_base_url: Option<String>,
    /// Name of the language model at that URL
    #[arg(long, env = "VIVID_LLM_MODEL", value_name = "NAME", requires = "llm_base_url")]
    llm_model: Option<String>,
    /// API key of the language model; prefer the environment variable, because every user of the machine can see flags
    #[arg(long, env = "VIVID_LLM_API_KEY", hide_env_values = true, value_name = "KEY", value_parser = read_key)]
    llm_api_key: Option<Key>,
    /// Timeout of one call of the language model, in seconds
    #[arg(long, env = "VIVID_LLM_TIMEOUT_S", value_name = "SECONDS", default_value_t = 180)]
    llm_timeout_s: u32,
    /// Seconds that the language model may spend on one generation
    #[arg(long, env = "VIVID_LLM_BUDGET_S", value_name = "SECONDS", default_value_t = 400)]
    llm_budget_s: u32,
    /// Tokens that the language model may use for one generation, prompts and answers together
    #[arg(long, env = "VIVID_LLM_BUDGET_TOKENS", value_name = "NUMBER", default_value_t = 200_000)]
    llm_budget_tokens: u64,
    /// Tokens that the language model may use per UTC day in this process [default: no limit]
    #[arg(long, env = "VIVID_LLM_DAILY_TOKENS", value_name = "NUMBER")]
    llm_daily_tokens: Option<u64>,
    /// The language model accepts images: it reviews pictures of the pages that it composed, and corrects them
    #[arg(long, env = "VIVID_LLM_VISION", action = clap::ArgAction::Set, num_args = 0..=1, default_value_t = false, default_missing_value = "true")]
    llm_vision: bool,
    /// US dollars per million tokens of prompts; the record of a generation then includes its cost
    #[arg(long, env = "VIVID_LLM_INPUT_PRICE", value_name = "USD", requires = "llm_output_price")]
    llm_input_price: Option<f64>,
    /// US dollars per million tokens of answers
    #[arg(long, env = "VIVID_LLM_OUTPUT_PRICE", value_name = "USD", requires = "llm_input_price")]
    llm_output_price: Option<f64>,
    /// Maximum concurrent calls of the language model
    #[arg(long, env = "VIVID_LLM_CALLS", value_name = "NUMBER", default_value_t = 4)]
    llm_calls: u32,
    /// Address of GET /metrics for Prometheus [default: off]
    #[arg(long, env = "VIVID_METRICS_LISTEN", value_name = "ADDRESS")]
    pub metrics_listen: Option<SocketAddr>,
    /// Which log lines go to standard error, as a tracing filter
    #[arg(long, env = "VIVID_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
    /// Format of the log lines
    #[arg(long, env = "VIVID_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

/// Format of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Text for people.
    Text,
    /// JSON for programs, one object per line.
    Json,
}

fn read_key(text: &str) -> Result<Key, std::convert::Infallible> {
    Ok(Key::new(text))
}

impl Config {
    /// Returns the number of jobs to work on at once, if the operator set it.
    pub fn loops(&self) -> Option<usize> {
        self.workers.map(|n| n as usize)
    }

    /// Returns the bytes of memory above which the worker restarts; `None` for no limit.
    pub fn memory_limit(&self) -> Option<u64> {
        match self.memory_limit_mib {
            Some(mib) => (mib > 0).then_some(mib << 20),
            None => process::memory_there_is().map(|bytes| bytes / 10 * 9),
        }
    }

    /// Returns how to reach the object store.
    pub fn store_access(&self) -> Access {
        Access {
            endpoint: self.store_endpoint.clone(),
            region: self.store_region.clone(),
            key_id: self.store_key_id.clone(),
            key_file: self.store_key_file.clone(),
        }
    }

    /// Returns the name of this worker.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| fleet::process::name("worker"))
    }

    /// Returns how to reach the queue.
    ///
    /// # Errors
    /// [`NoServers`].
    pub fn nats(&self) -> Result<Settings, NoServers> {
        Ok(Settings {
            servers: self.queue.read()?,
            credentials: self.queue_credentials.clone(),
            ca: self.queue_ca.clone(),
            name: self.name(),
        })
    }

    /// Returns the language model, if one is configured.
    pub fn model(&self) -> Option<Model> {
        let (base_url, name) = (self.llm_base_url.clone()?, self.llm_model.clone()?);
        Some(Model {
            base_url,
            name,
            key: self.llm_api_key.clone(),
            timeout_s: self.llm_timeout_s,
            calls: self.llm_calls,
            daily_tokens: self.llm_daily_tokens,
            budget_s: self.llm_budget_s,
            budget_tokens: self.llm_budget_tokens,
            price: setup::price(self.llm_input_price, self.llm_output_price),
            sees: self.llm_vision,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Config, clap::Error> {
        let always = ["vivid-worker", "--queue", "nats://a:4222,nats://b", "--store", "s3://bucket/p"];
        Config::try_parse_from(always.iter().chain(arguments))
    }

    #[test]
    fn settings_are_read() {
        let config =
            read(&["--workers", "3", "--name", "w", "--allow-host", "a,b:81", "--deny-net", "10.1.0.0/16"]).unwrap();
        assert_eq!(config.deny_net, ["10.1.0.0/16".parse().unwrap()]);
        assert_eq!((config.loops(), config.name(), config.allow_host.len()), (Some(3), "w".into(), 2));
        assert!(config.model().is_none() && config.nats().unwrap().credentials.is_none());
        assert!(read(&["--llm-base-url", "http://m/v1", "--llm-model", "m"]).unwrap().model().is_some());
        for wrong in [["--workers", "0"], ["--llm-model", "m"], ["--store", "ftp://x"]] {
            assert!(read(&wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(read(&["--memory-limit-mib", "3"]).unwrap().memory_limit(), Some(3 << 20));
        assert_eq!(read(&["--memory-limit-mib", "0"]).unwrap().memory_limit(), None);
        let access = read(&["--store-endpoint", "http://s", "--store-key-id", "k", "--store-key-file", "f"]);
        assert_eq!(access.unwrap().store_access().endpoint.as_deref(), Some("http://s"));
        assert!(read(&["--store-key-id", "k"]).is_err(), "a key without its secret");
        let secret = Config::try_parse_from(["w", "--store", "s", "--queue", "nats://ada:secret@host:x"]).unwrap();
        assert!(
            !secret.nats().unwrap_err().to_string().contains("secret") && !format!("{secret:?}").contains("secret")
        );
    }
}
