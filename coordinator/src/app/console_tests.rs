//! Tests of session protection, without a service.

use uuid::Uuid;

use super::*;

fn console(base: &str, is_public: bool) -> Console {
    Console::new(base, is_public, &[7; 32])
}

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, value.parse().unwrap());
    }
    headers
}

#[test]
fn cookies_are_for_scripts_and_other_sites_out_of_reach() {
    let token = Token::generate().unwrap();
    let shown = |console: &Console, token| console.cookie(token).to_str().unwrap().to_owned();
    let plain = console("http://127.0.0.1:8080", false);
    let said = format!("vivid={}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict", token.reveal());
    assert_eq!(shown(&plain, Some(&token)), said);
    let secure = console("https://example.org/vivid", true);
    assert_eq!(shown(&secure, Some(&token)), format!("__Host-{said}; Secure"));
    assert_eq!(shown(&secure, None), "__Host-vivid=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
    assert!(!format!("{:?}", secure.cookie(Some(&token))).contains(token.reveal()));
}

#[test]
fn a_session_is_named_by_one_cookie() {
    let (token, other) = (Token::generate().unwrap(), Token::generate().unwrap());
    let (token, other) = (token.reveal(), other.reveal());
    let named = |base: &str, cookies: &[&str]| {
        let lines: Vec<_> = cookies.iter().map(|cookie| ("cookie", *cookie)).collect();
        console(base, true).token(&headers(&lines)).map(|token| token.map(|t| t.reveal().to_owned()))
    };
    let (plain, secure) = ("http://h", "https://h");
    assert_eq!(named(plain, &[]), Ok(None));
    assert_eq!(named(plain, &[&format!("a=b; vivid={token};c=d")]), Ok(Some(token.to_owned())));
    assert_eq!(
        named(secure, &[&format!("vivid={other}"), &format!("__Host-vivid={token}")]),
        Ok(Some(token.to_owned()))
    );
    assert_eq!(named(secure, &[&format!("vivid={token}")]), Ok(None), "anybody on the network could have set it");
    for wrong in [vec!["vivid=x".to_owned()], vec![format!("vivid={token}"), format!("vivid={other}")]] {
        let wrong: Vec<_> = wrong.iter().map(String::as_str).collect();
        assert_eq!(named(plain, &wrong), Err(MalformedCookie), "{wrong:?}");
    }
}

#[test]
fn only_the_services_own_pages_may_change_something() {
    let check = |console: &Console, pairs: &[(&'static str, &str)]| {
        console.is_from_own_page(&headers(pairs), &"/console/api/session".parse().unwrap())
    };
    let public = console("https://Example.org:443/vivid", true);
    assert!(check(&public, &[]), "no browser");
    assert!(check(&public, &[("origin", "https://example.org"), ("sec-fetch-site", "same-origin")]));
    for wrong in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "http://example.org")],
        &[("origin", "https://example.org:8443")],
        &[("origin", "https://example.org.evil.example")],
        &[("origin", "null")],
        &[("origin", "https://example.org"), ("origin", "https://evil.example")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", "https://example.org")],
        &[("sec-fetch-site", "none")],
        &[("host", "evil.example"), ("origin", "https://evil.example")],
    ] {
        assert!(!check(&public, wrong), "{wrong:?}");
    }
    // Without a public address, the service's origin is the host that the browser requested.
    let local = console("http://127.0.0.1:8080", false);
    assert!(check(&local, &[("host", "localhost:8080"), ("origin", "http://localhost:8080")]));
    assert!(!check(&local, &[("host", "localhost:8080"), ("origin", "http://localhost:9090")]));
    assert!(!check(&local, &[("origin", "http://localhost:8080")]));
    let authority = "http://localhost:8080/console/api/session".parse().unwrap();
    assert!(local.is_from_own_page(&headers(&[("origin", "http://localhost:8080")]), &authority));
}

#[test]
fn a_token_is_of_one_session_and_one_service() {
    let session = |n| Session {
        id: Uuid::from_u128(n),
        account: Uuid::nil(),
        member: Uuid::nil(),
        created: crate::clock::Millis(0),
        seen: crate::clock::Millis(0),
        agent: String::new(),
        digest: Token::generate().unwrap().digest(),
    };
    let (ours, theirs) = (console("http://h", true), Console::new("http://h", true, &[8; 32]));
    let token = ours.csrf_token(&session(1));
    let check =
        |console: &Console, n, sent: &[(&'static str, &str)]| console.has_csrf_token(&session(n), &headers(sent));
    assert!(check(&ours, 1, &[("x-csrf-token", &token)]));
    assert!(!check(&ours, 2, &[("x-csrf-token", &token)]));
    assert!(!check(&theirs, 1, &[("x-csrf-token", &token)]));
    for wrong in ["", "00", &token[2..], &token.replace(&token[..1], "x")] {
        assert!(!check(&ours, 1, &[("x-csrf-token", wrong)]), "{wrong}");
    }
    assert!(!check(&ours, 1, &[]));
}
