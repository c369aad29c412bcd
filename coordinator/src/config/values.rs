//! Types of settings beyond numbers and paths. Each is parsed from one string, whatever its source.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use fleet::net::{AllowedHost, Network, NoHost, NoNetwork};
use serde::{Deserialize, Deserializer};

use crate::accounts::Plan;

/// Environment variable with the address of the admin API. It belongs to the commands and is not a setting of the
/// service.
pub const URL_VARIABLE: &str = "VIVID_ADMIN_URL";
/// Environment variable with the operator's token.
pub const TOKEN_VARIABLE: &str = "VIVID_ADMIN_TOKEN";

/// Format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// JSON for programs, one object per line.
    Json,
}

impl FromStr for LogFormat {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        clap::ValueEnum::from_str(s, false)
    }
}

/// An `http` or `https` URL with nothing after its path, and without a trailing slash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(String);

impl FromStr for BaseUrl {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let rest = s.strip_prefix("https://").or_else(|| s.strip_prefix("http://"));
        let rest = rest.ok_or("must begin with http:// or https://")?;
        if rest.is_empty() || rest.starts_with('/') || rest.contains(|c: char| "?#@ ".contains(c) || c.is_control()) {
            return Err("must be a host, optionally with a port and a path".into());
        }
        Ok(Self(s.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for BaseUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Where to find the language model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelPlace {
    /// A server on this machine, if one answers at its default port.
    Auto,
    /// No language model.
    Off,
    /// The server at this URL.
    At(BaseUrl),
}

impl FromStr for ModelPlace {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        match s {
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            url => url.parse().map(Self::At).map_err(|why: String| format!("auto, off, or a URL; {why}")),
        }
    }
}

impl<'de> Deserialize<'de> for ModelPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A non-public host that the service may connect to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(pub AllowedHost);

impl FromStr for Host {
    type Err = NoHost;

    fn from_str(s: &str) -> Result<Self, NoHost> {
        s.trim().parse().map(Self)
    }
}

impl<'de> Deserialize<'de> for Host {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A network that the service never connects to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net(pub Network);

impl FromStr for Net {
    type Err = NoNetwork;

    fn from_str(s: &str) -> Result<Self, NoNetwork> {
        s.parse().map(Self)
    }
}

impl<'de> Deserialize<'de> for Net {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A plan, given by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanName(pub Plan);

impl FromStr for PlanName {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let names = || format!("a plan is one of {}", Plan::ALL.map(Plan::name).join(", "));
        Plan::from_name(s.trim()).map(Self).ok_or_else(names)
    }
}

impl<'de> Deserialize<'de> for PlanName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// An origin whose pages may call the API from a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// All origins.
    Any,
    /// A single origin: scheme, host and port, as browsers send it (RFC 6454, 6.2).
    One(String),
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let s = s.trim();
        if s == "*" {
            return Ok(Self::Any);
        }
        let base: BaseUrl = s.parse()?;
        let origin = base.0.to_ascii_lowercase();
        let (scheme, host) = origin.split_once("://").expect("it has a scheme");
        if host.contains('/') || !origin.is_ascii() {
            return Err("must be a scheme and a host, optionally with a port".into());
        }
        // Browsers omit the default port.
        let usual = if scheme == "https" { ":443" } else { ":80" };
        Ok(Self::One(origin.strip_suffix(usual).unwrap_or(&origin).to_owned()))
    }
}

impl<'de> Deserialize<'de> for Origin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A list of IP addresses.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(transparent)]
pub struct Addresses(pub Vec<IpAddr>);

impl FromStr for Addresses {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let read = |a: &str| a.trim().parse().map_err(|_| format!("{:?} is not an IP address", a.trim()));
        s.split(',').filter(|a| !a.trim().is_empty()).map(read).collect::<Result<_, _>>().map(Self)
    }
}
