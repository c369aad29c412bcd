//! The list of settings: name, type, default, environment variable and help of each.

use std::net::SocketAddr;
use std::path::PathBuf;

use fleet::blobs::Location;
use fleet::llm::Key;
use fleet::nats::Unread;
use serde::Deserialize;

use super::Origin;
use super::values::{Addresses, BaseUrl, Host, LogFormat, ModelPlace, Net, PlanName, TOKEN_VARIABLE, URL_VARIABLE};

macro_rules! settings {
    (
        with default { $($name:ident: $type:ty = $default:literal, $env:literal, $help:literal;)+ }
        optional { $($oname:ident: $otype:ty, $oenv:literal, $ohelp:literal;)+ }
        any number { $($mname:ident: $mtype:ty, $menv:literal, $mhelp:literal;)+ }
    ) => {
        /// The values of one source.
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
        pub(super) const ENVIRONMENT: &[&str] = &["VIVID_CONFIG", URL_VARIABLE, TOKEN_VARIABLE, $($env,)+ $($oenv,)+ $($menv,)+];

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
            "Address of the admin API, which requires the token in the data folder; port 0 picks a free one";
        data_dir: PathBuf = "./data", "VIVID_DATA_DIR",
            "Data folder";
        rate_get: u32 = "60", "VIVID_RATE_GET",
            "GET requests per minute and account";
        rate_generate: u32 = "20", "VIVID_RATE_GENERATE",
            "Generations per minute and account";
        rate_preview: u32 = "600", "VIVID_RATE_PREVIEW",
            "Previews of changed pages per minute and account; the editor requests them while the user types";
        rate_other: u32 = "30", "VIVID_RATE_OTHER",
            "All other requests per minute and account";
        url_lifetime_s: u32 = "604800", "VIVID_URL_LIFETIME_S",
            "Seconds for which an image URL is valid";
        max_text_chars: u32 = "200000", "VIVID_MAX_TEXT_CHARS",
            "Maximum characters of a text input, at most 200000";
        max_images: u32 = "100", "VIVID_MAX_IMAGES",
            "Maximum images per generation, at most 500";
        max_backlog: u32 = "10000", "VIVID_MAX_BACKLOG",
            "Maximum accepted but unfinished images; above it, new generations are refused";
        free_corrections: u8 = "20", "VIVID_FREE_CORRECTIONS",
            "Percent of a page's words that an edit may correct free of charge if it changes nothing else; 0 for none";
        max_wait_s: u32 = "900", "VIVID_MAX_WAIT_S",
            "Seconds that the oldest job may wait before new generations are refused; 0 for no limit";
        max_brands: u32 = "50", "VIVID_MAX_BRANDS",
            "Maximum brand kits per account, at most 500";
        credits_free: u64 = "100", "VIVID_CREDITS_FREE",
            "Credits that the free plan grants each month";
        credits_starter: u64 = "1000", "VIVID_CREDITS_STARTER",
            "Credits that the starter plan grants each month";
        credits_pro: u64 = "5000", "VIVID_CREDITS_PRO",
            "Credits that the pro plan grants each month";
        credits_business: u64 = "20000", "VIVID_CREDITS_BUSINESS",
            "Credits that the business plan grants each month";
        storage_free_mib: u64 = "256", "VIVID_STORAGE_FREE_MIB",
            "MiB of uploads, inputs and images that an account of the free plan may store; 0 for no limit";
        storage_starter_mib: u64 = "5120", "VIVID_STORAGE_STARTER_MIB",
            "MiB that an account of the starter plan may store; 0 for no limit";
        storage_pro_mib: u64 = "25600", "VIVID_STORAGE_PRO_MIB",
            "MiB that an account of the pro plan may store; 0 for no limit";
        storage_business_mib: u64 = "102400", "VIVID_STORAGE_BUSINESS_MIB",
            "MiB that an account of the business plan may store; 0 for no limit";
        owner_email: String = "owner@localhost", "VIVID_OWNER_EMAIL",
            "E-mail address of the first account's owner, who administers the service in the console; used at the first start only";
        max_connections: u32 = "12000", "VIVID_MAX_CONNECTIONS",
            "Maximum concurrent connections; further ones get 503";
        max_connections_per_address: u32 = "1000", "VIVID_MAX_CONNECTIONS_PER_ADDRESS",
            "Maximum concurrent connections per client address, except trusted proxies";
        max_body_mib: u32 = "256", "VIVID_MAX_BODY_MIB",
            "MiB of request bodies held at once, in memory and on disk; further requests get 503 busy";
        max_body_mib_per_account: u32 = "128", "VIVID_MAX_BODY_MIB_PER_ACCOUNT",
            "MiB of request bodies held at once per account, at least 36";
        max_streams: u32 = "20", "VIVID_MAX_STREAMS",
            "Maximum open event streams per account, at most 1000";
        keep_days: u32 = "0", "VIVID_KEEP_DAYS",
            "Days for which a generation and its images are kept after acceptance; 0 keeps them forever";
        keep_images_days: u32 = "0", "VIVID_KEEP_IMAGES_DAYS",
            "Days for which images are kept after their generation was accepted; the generation stays; 0 keeps them as long as the generation";
        keep_failed_inputs_h: u32 = "24", "VIVID_KEEP_FAILED_INPUTS_H",
            "Hours for which the input of a failed or cancelled generation is kept; 0 keeps it as long as the generation";
        store_redirect: bool = "false", "VIVID_STORE_REDIRECT",
            "Whether image requests are redirected to the bucket, with signed URLs valid for five minutes: true or false";
        queue_prefix: String = "vivid", "VIVID_QUEUE_PREFIX",
            "Prefix of this deployment's names on the queue";
        device: String = "auto", "VIVID_DEVICE",
            "Devices that render: auto (all GPUs, or the CPU if there are none), cpu, or numbers or names of GPUs, separated by commas";
        llm_timeout_s: u32 = "180", "VIVID_LLM_TIMEOUT_S",
            "Timeout in seconds of one call to the language model";
        llm_budget_s: u32 = "400", "VIVID_LLM_BUDGET_S",
            "Seconds of language model calls per generation, at most 1800";
        llm_budget_tokens: u64 = "200000", "VIVID_LLM_BUDGET_TOKENS",
            "Language model tokens per generation, prompts and responses together";
        llm_vision: bool = "false", "VIVID_LLM_VISION",
            "Whether the language model accepts images; it then reviews the rendered pages and corrects them";
        llm_calls: u32 = "4", "VIVID_LLM_CALLS",
            "Maximum concurrent calls to the language model";
        export_every_s: u32 = "3600", "VIVID_EXPORT_EVERY_S",
            "Seconds between exports of the state to the folder exports in the data folder; 0 exports only when the journal has grown large";
        export_keep: u32 = "24", "VIVID_EXPORT_KEEP",
            "Number of exports that are kept";
        keep_uploads_s: u32 = "86400", "VIVID_KEEP_UPLOADS_S",
            "Seconds for which an uploaded file can be used, at least 60";
        scrub_days: u32 = "30", "VIVID_SCRUB_DAYS",
            "Days in which the scrub reads all stored objects once and compares them with their hashes; 0 scrubs only on command";
        scrub_mib_s: u32 = "8", "VIVID_SCRUB_MIB_S",
            "Maximum MiB per second that the scrub reads";
        reserve_mib: u64 = "64", "VIVID_RESERVE_MIB",
            "MiB to keep free on the disk: below that, nothing is written; images and texts keep twice as much free";
        log: String = "info", "VIVID_LOG",
            "Log filter for standard error, in the syntax of the tracing crate";
        log_format: LogFormat = "text", "VIVID_LOG_FORMAT",
            "Log format: text or json";
    }
    optional {
        public_url: BaseUrl, "VIVID_PUBLIC_URL",
            "URL at which clients reach the service, used as the base of image URLs [default: the listen address]";
        store: Location, "VIVID_STORE",
            "Object store for images and large texts: a folder, or s3://BUCKET or s3://BUCKET/PREFIX [default: store in the data folder]";
        store_endpoint: String, "VIVID_STORE_ENDPOINT",
            "URL of an S3-compatible server [default: AWS_ENDPOINT_URL, or Amazon's]";
        store_region: String, "VIVID_STORE_REGION",
            "The bucket's region [default: AWS_REGION]";
        store_key_id: String, "VIVID_STORE_KEY_ID",
            "Id of the bucket's access key [default: AWS_ACCESS_KEY_ID, or the credentials that AWS gives the machine]";
        store_key_file: PathBuf, "VIVID_STORE_KEY_FILE",
            "File with the secret of the bucket's access key [default: AWS_SECRET_ACCESS_KEY]";
        queue: Unread, "VIVID_QUEUE",
            "NATS servers of the queue for workers on other machines: nats://HOST:PORT, separated by commas [default: none]";
        queue_credentials: PathBuf, "VIVID_QUEUE_CREDENTIALS",
            "Credentials file for the queue, as written by nsc [default: none]";
        queue_ca: PathBuf, "VIVID_QUEUE_CA",
            "PEM file of CA certificates trusted for the queue's servers, in addition to the system's [default: none]";
        fonts: PathBuf, "VIVID_FONTS",
            "Folder of font files (TTF, OTF, WOFF, WOFF2) for characters that the built-in fonts lack [default: none]";
        workers: u32, "VIVID_WORKERS",
            "Concurrent jobs in this process; 0 for none [default: one per core, plus one for each of --llm-calls if there is a model; 0 with --queue]";
        llm_base_url: ModelPlace, "VIVID_LLM_BASE_URL",
            "URL of a language model with an OpenAI-compatible API, such as http://127.0.0.1:9000/v1; auto uses Ollama, LM Studio, llama.cpp or vLLM if one answers at its default port on this machine; off uses none [default: auto; off with --queue]";
        llm_model: String, "VIVID_LLM_MODEL",
            "Name of the language model [default with auto: the first that the server lists]";
        llm_api_key: Key, "VIVID_LLM_API_KEY",
            "API key of the language model; set it in the environment or the file, because every user of the machine can see flags";
        llm_daily_tokens: u64, "VIVID_LLM_DAILY_TOKENS",
            "Language model tokens per UTC day [default: no limit]";
        llm_input_price: f64, "VIVID_LLM_INPUT_PRICE",
            "US dollars per million prompt tokens; together with --llm-output-price it records the cost of each generation [default: none]";
        llm_output_price: f64, "VIVID_LLM_OUTPUT_PRICE",
            "US dollars per million response tokens [default: none]";
        llm_daily_tokens_per_account: u64, "VIVID_LLM_DAILY_TOKENS_PER_ACCOUNT",
            "Language model tokens per UTC day and account [default: no limit]";
        tls_cert: PathBuf, "VIVID_TLS_CERT",
            "PEM file of the certificate chain; with --tls-key the service uses TLS [default: none]";
        tls_key: PathBuf, "VIVID_TLS_KEY",
            "PEM file of the certificate's private key [default: none]";
        metrics_listen: SocketAddr, "VIVID_METRICS_LISTEN",
            "Address of GET /metrics for Prometheus [default: off]";
        trusted_proxy: Addresses, "VIVID_TRUSTED_PROXY",
            "IP addresses of proxies, separated by commas, whose X-Forwarded-For is trusted [default: none]";
    }
    any number {
        allow_host: Host, "VIVID_ALLOW_HOST",
            "NAME or NAME:PORT of a non-public host that the service may connect to; repeat for more [default: none]";
        deny_net: Net, "VIVID_DENY_NET",
            "ADDRESS/LENGTH of a network that the service never connects to, even if allowed; repeat for more [default: none]";
        key_plans: PlanName, "VIVID_KEY_PLANS",
            "Plans whose accounts may use API keys, by name, separated by commas [default: all]";
        cors_origin: Origin, "VIVID_CORS_ORIGIN",
            "Origin (scheme, host, port) whose pages may call the API from a browser, or * for all; repeat for more [default: none]";
    }
}
