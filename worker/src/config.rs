//! Settings: flags, or the environment (`--queue-prefix` is `VIVID_QUEUE_PREFIX`). Those that coordinator and worker share
//! have the same names and mean the same.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use fleet::blobs::{Access, Place};
use fleet::llm::Key;
use fleet::nats::{NoServers, Settings, Unread};
use fleet::net::{AllowedHost, Network};
use fleet::process;
use worker::setup::{self, Model};

/// Takes jobs off the queue of a Vivid coordinator and works on them
#[derive(Debug, Parser)]
#[command(name = "vivid-worker", version, about)]
pub struct Config {
    /// Servers of the queue: nats://HOST:PORT or tls://HOST:PORT, several separated by commas
    #[arg(long, env = "VIVID_QUEUE", hide_env_values = true, value_name = "SERVERS")]
    queue: Unread,
    /// What the deployment calls itself on the queue; the same as the coordinator's
    #[arg(long, env = "VIVID_QUEUE_PREFIX", value_name = "NAME", default_value = "vivid")]
    pub queue_prefix: String,
    /// File of credentials for the queue, as nsc writes it
    #[arg(long, env = "VIVID_QUEUE_CREDENTIALS", value_name = "FILE")]
    pub queue_credentials: Option<PathBuf>,
    /// PEM file of certificates to trust of the queue's servers, beside the system's
    #[arg(long, env = "VIVID_QUEUE_CA", value_name = "FILE")]
    pub queue_ca: Option<PathBuf>,
    /// Where images and large texts lie: s3://BUCKET, s3://BUCKET/PREFIX, or a folder that all machines share
    #[arg(long, env = "VIVID_STORE", value_name = "PLACE")]
    pub store: Place,
    /// URL of a server of one's own that speaks S3's language [default: AWS_ENDPOINT_URL, else Amazon's]
    #[arg(long, env = "VIVID_STORE_ENDPOINT", value_name = "URL")]
    store_endpoint: Option<String>,
    /// The bucket's region [default: AWS_REGION]
    #[arg(long, env = "VIVID_STORE_REGION", value_name = "NAME")]
    store_region: Option<String>,
    /// Id of the bucket's access key [default: AWS_ACCESS_KEY_ID, or what AWS gives the machine]
    #[arg(long, env = "VIVID_STORE_KEY_ID", value_name = "ID", requires = "store_key_file")]
    store_key_id: Option<String>,
    /// File of the secret of that key [default: AWS_SECRET_ACCESS_KEY]
    #[arg(long, env = "VIVID_STORE_KEY_FILE", value_name = "FILE", requires = "store_key_id")]
    store_key_file: Option<PathBuf>,
    /// Jobs worked on at once [default: one a core; with graphics cards as many more as it takes to keep the cores at work]
    #[arg(long, env = "VIVID_WORKERS", value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,
    /// MiB of memory beyond which it takes no more work, finishes what it has and begins anew; 0 for any [default: nine
    /// tenths of what its control group or the machine has]
    #[arg(long, env = "VIVID_MEMORY_LIMIT_MIB", value_name = "NUMBER")]
    memory_limit_mib: Option<u64>,
    /// What this worker is called in logs and lists [default: host name and process]
    #[arg(long, env = "VIVID_NAME", value_name = "NAME")]
    name: Option<String>,
    /// What draws: auto (every graphics card, else the CPU), cpu, or devices by number or name, separated by commas
    #[arg(long, env = "VIVID_DEVICE", value_name = "DEVICE", default_value = "auto")]
    pub device: String,
    /// Folder of font files for characters that no built-in face has; the same files as the coordinator's
    #[arg(long, env = "VIVID_FONTS", value_name = "FOLDER")]
    pub fonts: Option<PathBuf>,
    /// NAME or NAME:PORT of a host that is not public and yet may be fetched from; again for each
    #[arg(long, env = "VIVID_ALLOW_HOST", value_name = "HOST", value_delimiter = ',')]
    pub allow_host: Vec<AllowedHost>,
    /// ADDRESS/LENGTH of a network that nothing is fetched from, whatever is allowed; again for each
    #[arg(long, env = "VIVID_DENY_NET", value_name = "NETWORK", value_delimiter = ',')]
    pub deny_net: Vec<Network>,
    /// Where a language model answers in OpenAI's protocol
    #[arg(long, env = "VIVID_LLM_BASE_URL", value_name = "URL", requires = "llm_model")]
    llm_base_url: Option<String>,
    /// The language model's name there
    #[arg(long, env = "VIVID_LLM_MODEL", value_name = "NAME", requires = "llm_base_url")]
    llm_model: Option<String>,
    /// Its key; better in the environment, for flags are seen by everybody on the machine
    #[arg(long, env = "VIVID_LLM_API_KEY", hide_env_values = true, value_name = "KEY", value_parser = read_key)]
    llm_api_key: Option<Key>,
    /// Seconds that one call of the language model may take
    #[arg(long, env = "VIVID_LLM_TIMEOUT_S", value_name = "SECONDS", default_value_t = 180)]
    llm_timeout_s: u32,
    /// Seconds that the language model may take over one generation
    #[arg(long, env = "VIVID_LLM_BUDGET_S", value_name = "SECONDS", default_value_t = 400)]
    llm_budget_s: u32,
    /// Tokens that the language model may take for one generation, prompts and answers together
    #[arg(long, env = "VIVID_LLM_BUDGET_TOKENS", value_name = "NUMBER", default_value_t = 200_000)]
    llm_budget_tokens: u64,
    /// Tokens that the language model may take in a day of UTC in this process [default: no limit]
    #[arg(long, env = "VIVID_LLM_DAILY_TOKENS", value_name = "NUMBER")]
    llm_daily_tokens: Option<u64>,
    /// The language model sees pictures: it looks at the pages that it composed, and mends them
    #[arg(long, env = "VIVID_LLM_VISION", action = clap::ArgAction::Set, num_args = 0..=1, default_value_t = false, default_missing_value = "true")]
    llm_vision: bool,
    /// US dollars per million tokens of prompts; the cost of a generation is then part of its record
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
    /// What is logged to standard error, as tracing's filters say it
    #[arg(long, env = "VIVID_LOG", value_name = "FILTER", default_value = "info")]
    pub log: String,
    /// How it is logged
    #[arg(long, env = "VIVID_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,
}

/// How the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For programs, an object a line.
    Json,
}

fn read_key(text: &str) -> Result<Key, std::convert::Infallible> {
    Ok(Key::new(text))
}

impl Config {
    /// Jobs worked on at once, where it is said.
    pub fn loops(&self) -> Option<usize> {
        self.workers.map(|n| n as usize)
    }

    /// Bytes of memory beyond which it begins anew.
    pub fn memory_limit(&self) -> Option<u64> {
        match self.memory_limit_mib {
            Some(mib) => (mib > 0).then_some(mib << 20),
            None => process::memory_there_is().map(|bytes| bytes / 10 * 9),
        }
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

    /// What this worker is called.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| fleet::process::name("worker"))
    }

    /// How to reach the queue.
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

    /// The language model, where there is one.
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
