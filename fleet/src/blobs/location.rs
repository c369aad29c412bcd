//! The location of a store: a folder, or a bucket of S3 or of an S3-compatible server.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use hyper::Method;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::signer::Signer;
use object_store::{ClientOptions, ObjectStore, RetryConfig};
use serde::{Deserialize, Deserializer};

use super::error::BlobError;

/// Timeout for connecting to a server.
const CONNECT: Duration = Duration::from_secs(3);
/// Timeout for one request, longer than that of any caller.
const REQUEST: Duration = Duration::from_secs(30);
/// Environment variables that name an S3-compatible server.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];

/// The location of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A folder of this machine, or one on shared storage.
    Folder(PathBuf),
    /// In a bucket: `s3://BUCKET` or `s3://BUCKET/PREFIX`.
    Bucket {
        /// Its name.
        bucket: String,
        /// Prefix of every key.
        prefix: Option<String>,
    },
}

/// How to access a bucket. The usual `AWS_…` variables supply what is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Access {
    /// URL of an S3-compatible server; `None` for Amazon's.
    pub endpoint: Option<String>,
    /// The bucket's region.
    pub region: Option<String>,
    /// Id of the access key.
    pub key_id: Option<String>,
    /// File that holds the secret of that key.
    pub key_file: Option<PathBuf>,
}

impl FromStr for Location {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return if text.is_empty() {
                Err("expected a folder, s3://BUCKET or s3://BUCKET/PREFIX".into())
            } else {
                Ok(Self::Folder(text.into()))
            };
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let named = !bucket.is_empty() && bucket.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
        if scheme != "s3" || !named {
            return Err("expected a folder, s3://BUCKET or s3://BUCKET/PREFIX".into());
        }
        let prefix = Some(prefix.trim_matches('/')).filter(|prefix| !prefix.is_empty()).map(str::to_owned);
        Ok(Self::Bucket { bucket: bucket.to_owned(), prefix })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Bucket { bucket, prefix: None } => write!(f, "s3://{bucket}"),
            Self::Bucket { bucket, prefix: Some(prefix) } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

impl<'de> Deserialize<'de> for Location {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Creates signed URLs of a bucket.
#[derive(Debug)]
pub(super) struct Direct {
    bucket: AmazonS3,
    prefix: Option<String>,
}

impl Direct {
    /// Opens a bucket. The store that it returns adds `prefix` to every key.
    pub fn open(
        bucket: &str,
        prefix: Option<&str>,
        access: &Access,
    ) -> Result<(Arc<dyn ObjectStore>, Self), BlobError> {
        crate::tls::choose();
        // `Blobs` retries calls itself, because the client's retries don't suffice: they leave out the checks after reads
        // and writes, have no deadline for several requests in sequence, and notice a hanging store only after `REQUEST`.
        let retry = RetryConfig { max_retries: 0, ..RetryConfig::default() };
        let options = ClientOptions::new().with_connect_timeout(CONNECT).with_timeout(REQUEST);
        let named = || ENDPOINTS.iter().find_map(|name| std::env::var(name).ok());
        let endpoint = access.endpoint.clone().or_else(named).filter(|url| !url.is_empty());
        let in_the_clear = endpoint.as_ref().is_some_and(|url| url.starts_with("http://"));
        let mut builder = AmazonS3Builder::from_env()
            .with_bucket_name(bucket)
            .with_retry(retry)
            .with_client_options(options.with_allow_http(in_the_clear));
        if let Some(endpoint) = endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        if let Some(region) = &access.region {
            builder = builder.with_region(region);
        }
        if let Some(id) = &access.key_id {
            builder = builder.with_access_key_id(id);
        }
        if let Some(file) = &access.key_file {
            let secret = std::fs::read_to_string(file);
            let secret = secret.map_err(|error| BlobError::Secret(file.display().to_string(), error.to_string()))?;
            builder = builder.with_secret_access_key(secret.trim());
        }
        let bucket = builder.build().map_err(BlobError::Store)?;
        let store: Arc<dyn ObjectStore> = match prefix {
            Some(prefix) => Arc::new(PrefixStore::new(bucket.clone(), prefix)),
            None => Arc::new(bucket.clone()),
        };
        Ok((store, Self { bucket, prefix: prefix.map(str::to_owned) }))
    }

    /// Returns a signed URL for a request to `path` with this method, valid for this lifetime.
    pub async fn address(&self, method: Method, path: Path, lifetime: Duration) -> Result<String, BlobError> {
        let path = match &self.prefix {
            Some(prefix) => Path::from(format!("{prefix}/{path}")),
            None => path,
        };
        let url = self.bucket.signed_url(method, &path, lifetime).await.map_err(BlobError::Store)?;
        Ok(url.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_parsed_and_printed() {
        for text in ["./data", "/srv/store", "s3://bucket", "s3://my.bucket-1/a/b"] {
            assert_eq!(text.parse::<Location>().unwrap().to_string(), text);
        }
        assert_eq!("s3://b/a/".parse::<Location>(), "s3://b/a".parse());
        for wrong in ["", "s3://", "s3:///a", "s3://a b", "gs://b", "http://b"] {
            assert!(wrong.parse::<Location>().is_err(), "{wrong}");
        }
    }
}
