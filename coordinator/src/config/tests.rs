//! How settings are read, and which values are refused.

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
fn networks_are_denied_one_by_one_or_all_at_once() {
    let nets = |config: Config| config.deny_net.iter().map(|net| net.0.to_string()).collect::<Vec<_>>();
    assert!(nets(read(&[]).unwrap()).is_empty());
    let repeated = read(&["--deny-net", "10.1.0.0/16", "--deny-net", "2001:db8::/32,8.8.8.8"]).unwrap();
    assert_eq!(nets(repeated), ["10.1.0.0/16", "2001:db8::/32", "8.8.8.8/32"]);
    let file = file("deny-net = ['10.1.0.0/16']\n");
    assert_eq!(nets(read(&["--config", file.path().to_str().unwrap()]).unwrap()), ["10.1.0.0/16"]);
    assert!(read(&["--allow-host", "10.1.0.7", "--deny-net", "10.1.0.0/16"]).is_err());
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
    // clap reads the process's environment, so the test checks what clap was configured with.
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
        Err("VIVID_RATE_GTE is not a setting; did you mean VIVID_RATE_GET?".to_owned())
    );
    let other = refusal("VIVID_XYZZY_PLUGH_QUUX").unwrap_err();
    assert!(other.starts_with("VIVID_XYZZY_PLUGH_QUUX is not a setting"), "{other}");
    for fine in ["PATH", "VIVID_CONFIG", "VIVID_RATE_GET", "VIVID_BINARY", "VIVID_BLESS", "VIVID_CHAOS_SEED"] {
        assert_eq!(refusal(fine), Ok(()), "{fine}");
    }
}

#[test]
fn a_language_model_is_reached_by_address_and_name_and_its_key_is_shown_nowhere() {
    let file = file("llm-base-url = 'https://llm.example/v1/'\nllm-model = 'small'\nllm-api-key = ' sk-secret '\n");
    let config = read(&["--config", file.path().to_str().unwrap()]).unwrap();
    assert_eq!(
        config.model().map(|(url, model)| (url.to_string(), model)),
        Some(("https://llm.example/v1".into(), "small"))
    );
    assert!(!config.looks_for_model());
    assert!(config.llm_api_key.is_some() && !format!("{config:?}").contains("secret"));
    let mut command = <CommandLine as clap::CommandFactory>::command();
    // clap prints the values of environment variables unless it is configured not to.
    assert!(
        command
            .get_arguments()
            .filter(|a| a.get_env().is_some())
            .all(|a| a.is_hide_env_values_set() || a.get_id() == "config")
    );
    assert!(command.render_long_help().to_string().contains("--llm-api-key"));
}

#[test]
fn a_model_server_of_this_machine_is_looked_for_unless_that_is_off() {
    let looks = |arguments: &[&str]| read(arguments).unwrap().looks_for_model();
    assert!(looks(&[]) && looks(&["--llm-base-url", "auto"]) && looks(&["--llm-model", "small"]));
    assert!(!looks(&["--llm-base-url", "off"]) && !looks(&["--queue", "nats://127.0.0.1:4222"]));
    assert!(looks(&["--queue", "nats://127.0.0.1:4222", "--llm-base-url", "auto"]));
    let found = read(&[]).unwrap().with_found(Some(("http://127.0.0.1:11434/v1".parse().unwrap(), "small".into())));
    assert_eq!(found.model().map(|(_, model)| model), Some("small"));
    assert!(read(&[]).unwrap().with_found(None).model().is_none());
}

#[test]
fn values_that_cannot_be_meant_are_refused() {
    for wrong in [
        ["--max-text-chars", "200001"],
        ["--max-images", "0"],
        ["--max-brands", "501"],
        ["--max-streams", "0"],
        ["--max-body-mib", "127"],
        ["--max-body-mib-per-account", "35"],
        ["--url-lifetime-s", "0"],
        ["--public-url", "example.org"],
        ["--llm-base-url", "http://127.0.0.1:11434/v1"],
        ["--llm-base-url", "127.0.0.1:11434"],
        ["--llm-api-key", "sk-1"],
        ["--llm-budget-s", "1801"],
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
        ["--allow-host", "169.254.169.254"],
        ["--deny-net", "10.1.2.3/16"],
        ["--deny-net", "corp"],
        ["--key-plans", "pro,gold"],
    ] {
        assert!(read(&wrong).is_err(), "{wrong:?}");
    }
    let config = read(&["--public-url", "https://example.org/vivid/"]).unwrap();
    assert_eq!(config.public_url.unwrap().to_string(), "https://example.org/vivid");
}
