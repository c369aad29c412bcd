//! Checks the host of a request: it must be given exactly once (RFC 9112, 3.2; RFC 9113, 8.3.1). A proxy and the
//! service behind it may interpret a request with no host or two hosts differently.

use axum::http::uri::Authority;
use axum::http::{HeaderValue, Request, Version, header};

use super::peer::Refusal;

/// Returns why a request is refused for its host, if so.
pub fn fault<B>(request: &Request<B>) -> Option<Refusal> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let is_sound = match (named.next(), named.next()) {
        (Some(host), None) => match (self::host(host), request.version()) {
            // In HTTP/2, Host must equal :authority if both are present.
            (Some(host), Version::HTTP_2) => request.uri().authority().is_none_or(|other| *other == host),
            (host, _) => host.is_some(),
        },
        (None, _) => match request.version() {
            Version::HTTP_2 => request.uri().authority().is_some_and(|host| !host.as_str().contains('@')),
            // The header was introduced with HTTP/1.1.
            version => version < Version::HTTP_11,
        },
        (Some(_), Some(_)) => false,
    };
    (!is_sound).then_some(Refusal::BadHost)
}

/// Parses the host and port in a header.
fn host(value: &HeaderValue) -> Option<Authority> {
    let host: Authority = value.to_str().ok()?.parse().ok()?;
    (!host.host().is_empty() && !host.as_str().contains('@')).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(version: Version, uri: &str, hosts: &[&str]) -> bool {
        let mut request = Request::builder().version(version).uri(uri);
        for host in hosts {
            request = request.header(header::HOST, *host);
        }
        fault(&request.body(()).unwrap()).is_some()
    }

    #[test]
    fn a_request_of_http1_names_one_host() {
        let refused = |hosts: &[&str]| is_refused(Version::HTTP_11, "/", hosts);
        for host in ["example.org", "example.org:8080", "127.0.0.1:80", "[::1]:8080", "x"] {
            assert!(!refused(&[host]), "{host}");
        }
        for wrong in [&[][..], &[""], &["a", "a"], &["a", "b"], &["a b"], &["me@a"], &["a/b"], &["a:x:y"], &["a,b/"]] {
            assert!(refused(wrong), "{wrong:?}");
        }
        assert!(refused(&[]) && !is_refused(Version::HTTP_10, "/", &[]));
        assert!(is_refused(Version::HTTP_10, "/", &["a", "b"]));
        assert!(is_refused(Version::HTTP_11, "http://example.org/", &[]), "the form of proxies needs it too");
    }

    #[test]
    fn a_request_of_http2_names_one_authority() {
        let refused = |uri: &str, hosts: &[&str]| is_refused(Version::HTTP_2, uri, hosts);
        assert!(!refused("http://example.org/", &[]) && !refused("/", &["example.org"]));
        assert!(!refused("http://example.org/", &["example.org"]) && !refused("http://example.org/", &["EXAMPLE.org"]));
        assert!(refused("/", &[]) && refused("http://me@example.org/", &[]));
        assert!(refused("http://example.org/", &["other.org"]) && refused("http://example.org/", &["a", "a"]));
    }
}
