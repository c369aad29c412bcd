//! The list of settings: name, type, default, environment variable and help of each.

use std::net::SocketAddr;
use std::path::PathBuf;

use fleet::blobs::Place;
use fleet::llm::Key;
use fleet::nats::Unread;
use serde::Deserialize;

use super::values::{Addresses, BaseUrl, Host, LogFormat, ModelPlace, Net, Origin, PlanName};
use crate::command;

macro_rules! settings {
    (
        with default { $($name:ident: $type:ty = $default:literal, $env:literal, $help:literal;)+ }
        optional { $($oname:ident: $otype:ty, $oenv:literal, $ohelp:literal;)+ }
        any number { $($mname:ident: $mtype:ty, $menv:literal, $mhelp:literal;)+ }
    ) => {
        /// What one source says.
        #[derive(Debug, Default, clap::Args, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case")]
        pub(super) struct Given {
            $(#[arg(long, env = $env, hide_env_values = true, value_name = "VALUE", help = concat!($help, " [default: ", $default, "]"))]
            pub(super) $name: Option<$type>,)+
            $(#[arg(long, env = $oenv, hide_env_values = true, value_name = "VALUE", help = $ohelp)]
            pub(super) $oname: Option<$otype>,)+
            $(#[arg(long, env = $menv, hide_env_values = true, value_name = "VALUE", value_delimiter = ',', help = $mhelp)]
            #[serde(default)]
            pub(super) $mname: Vec<$mtype>,)+
        }

        /// The settings.
        #[derive(Debug, Clone)]
        pub struct Config {
            $(#[doc = $help] pub $name: $type,)+
            $(#[doc = $ohelp] pub $oname: Option<$otype>,)+
            $(#[doc = $mhelp] pub $mname: Vec<$mtype>,)+
        }

        /// The environment variables that are settings.
        pub(super) const ENVIRONMENT: &[&str] = &["VIVID_CONFIG", command::URL_VARIABLE, command::TOKEN_VARIABLE, $($env,)+ $($oenv,)+ $($menv,)+];

        impl Config {
            pub(super) fn from_sources(flags_and_environment: Given, file: Given) -> Self {
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
        rate_preview: u32 = "600", "VIVID_RATE_PREVIEW",
            "Previews of changed pages a minute and account, which the editor draws while its user types";
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
        free_corrections: u8 = "20", "VIVID_FREE_CORRECTIONS",
            "Percent of a page's words that an edit may correct without a charge where it changes nothing else; 0 for none";
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
        storage_free_mib: u64 = "256", "VIVID_STORAGE_FREE_MIB",
            "MiB of uploads, inputs and images that an account of the free plan may keep; 0 for any number";
        storage_starter_mib: u64 = "5120", "VIVID_STORAGE_STARTER_MIB",
            "MiB that an account of the starter plan may keep; 0 for any number";
        storage_pro_mib: u64 = "25600", "VIVID_STORAGE_PRO_MIB",
            "MiB that an account of the pro plan may keep; 0 for any number";
        storage_business_mib: u64 = "102400", "VIVID_STORAGE_BUSINESS_MIB",
            "MiB that an account of the business plan may keep; 0 for any number";
        owner_email: String = "owner@localhost", "VIVID_OWNER_EMAIL",
            "E-mail address under which whoever runs the service signs in to the console; read at the first start";
        max_connections: u32 = "12000", "VIVID_MAX_CONNECTIONS",
            "Connections at once; further ones are answered 503";
        max_connections_per_address: u32 = "1000", "VIVID_MAX_CONNECTIONS_PER_ADDRESS",
            "Connections at once of one address that is no trusted proxy";
        max_body_mib: u32 = "256", "VIVID_MAX_BODY_MIB",
            "MiB of request bodies that are received and worked on at once, in memory and on disk; beyond, 503 busy";
        max_body_mib_per_account: u32 = "128", "VIVID_MAX_BODY_MIB_PER_ACCOUNT",
            "MiB of request bodies of one account at once, at least 36";
        max_streams: u32 = "20", "VIVID_MAX_STREAMS",
            "Streams of events that an account may have open, at most 1000";
        keep_days: u32 = "0", "VIVID_KEEP_DAYS",
            "Days that a generation and its images are kept after it was accepted; 0 keeps them for good";
        keep_images_days: u32 = "0", "VIVID_KEEP_IMAGES_DAYS",
            "Days that images are kept after their generation was accepted, which stays; 0 keeps them as long as that";
        keep_failed_inputs_h: u32 = "24", "VIVID_KEEP_FAILED_INPUTS_H",
            "Hours that the input of a generation is kept that failed or was cancelled; 0 keeps it as long as the generation";
        store_redirect: bool = "false", "VIVID_STORE_REDIRECT",
            "Whether clients are sent to the bucket itself for images, by signed URLs of five minutes: true or false";
        queue_prefix: String = "vivid", "VIVID_QUEUE_PREFIX",
            "What this deployment calls itself on the queue";
        device: String = "auto", "VIVID_DEVICE",
            "What draws: auto (every graphics card, else the CPU), cpu, or devices by number or name, separated by commas";
        llm_timeout_s: u32 = "180", "VIVID_LLM_TIMEOUT_S",
            "Seconds that one call of the language model may take";
        llm_budget_s: u32 = "400", "VIVID_LLM_BUDGET_S",
            "Seconds that the language model may take over one generation, at most 600";
        llm_budget_tokens: u64 = "200000", "VIVID_LLM_BUDGET_TOKENS",
            "Tokens that the language model may take for one generation, prompts and answers together";
        llm_vision: bool = "false", "VIVID_LLM_VISION",
            "Whether the language model sees pictures: it then looks at the pages that it composed, and mends them";
        llm_calls: u32 = "4", "VIVID_LLM_CALLS",
            "Calls of the language model that are out at once";
        export_every_s: u32 = "3600", "VIVID_EXPORT_EVERY_S",
            "Seconds between copies of the state in the folder exports of the data folder; with 0 only where the journal has grown large";
        export_keep: u32 = "24", "VIVID_EXPORT_KEEP",
            "Copies of the state that are kept";
        keep_uploads_s: u32 = "86400", "VIVID_KEEP_UPLOADS_S",
            "Seconds that an uploaded file can be used for, at least 60";
        scrub_days: u32 = "30", "VIVID_SCRUB_DAYS",
            "Days in which everything that is stored is read and compared with its hashes once; 0 does so by command alone";
        scrub_mib_s: u32 = "8", "VIVID_SCRUB_MIB_S",
            "MiB a second that this reads at the most";
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
            "Jobs worked on at once in this process; 0 works on none [default: one a core, and one for each of --llm-calls where there is a model; with --queue none]";
        llm_base_url: ModelPlace, "VIVID_LLM_BASE_URL",
            "Where a language model answers in OpenAI's protocol, such as http://127.0.0.1:9000/v1; auto uses Ollama, LM Studio, llama.cpp or vLLM if one answers at its default port on this machine, off none [default: auto; with --queue off]";
        llm_model: String, "VIVID_LLM_MODEL",
            "The language model's name there; with auto, the first that the server names";
        llm_api_key: Key, "VIVID_LLM_API_KEY",
            "Its key; better in the environment or the file, for flags are seen by everybody on the machine";
        llm_daily_tokens: u64, "VIVID_LLM_DAILY_TOKENS",
            "Tokens that the language model may take in a day of UTC [default: no limit]";
        llm_input_price: f64, "VIVID_LLM_INPUT_PRICE",
            "US dollars per million tokens of prompts; with --llm-output-price the cost of a generation is part of its record [default: none]";
        llm_output_price: f64, "VIVID_LLM_OUTPUT_PRICE",
            "US dollars per million tokens of answers [default: none]";
        llm_daily_tokens_per_account: u64, "VIVID_LLM_DAILY_TOKENS_PER_ACCOUNT",
            "Tokens that the language model may take in a day of UTC for one account [default: no limit]";
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
        deny_net: Net, "VIVID_DENY_NET",
            "ADDRESS/LENGTH of a network that nothing is fetched from or sent to, whatever is allowed; again for each [default: none]";
        key_plans: PlanName, "VIVID_KEY_PLANS",
            "Plans whose accounts may use API keys, by name, separated by commas [default: all]";
        cors_origin: Origin, "VIVID_CORS_ORIGIN",
            "Origin (scheme, host, port) whose pages may call the API from a browser, or *; again for each [default: none]";
    }
}
