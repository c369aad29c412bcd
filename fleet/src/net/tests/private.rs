//! Tests that non-public addresses are never contacted, however a URL names them.

use proptest::prelude::*;

use super::super::address::tests::any_special;
use super::fakes::{Line, Names, PUBLIC, Server, fetcher, page, redirect};
use super::{HTML, PAGES};
use crate::net::{FetchError, Refusal};

/// URLs that must not be fetched, grouped by the reason.
pub(super) const FORBIDDEN: &[&str] = &[
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "data:text/html,<p>x",
    "ftp://127.0.0.1/",
    "http://127.0.0.1/",
    "HTTP://127.0.0.1",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://127.1/",
    "http://127.000.000.001/",
    "http://0.0.0.0/",
    "http://0/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[fec0::1]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://localhost/",
    "http://canary.localhost/",
    "http://me@127.0.0.1/",
    "http://example.org@127.0.0.1/",
    "http://127.0.0.1:22/",
    "http://pages.example:8080/",
    "http://127.0.0.1#@pages.example/",
    "http://127.0.0.1\\@pages.example/",
    "http://１２７.０.０.１/",
    "http://private.example/",
    "http://mixed.example/",
    "http://mapped.example/",
    "http://link.example/",
];

#[tokio::test]
async fn i15_no_canary_hears_of_a_forbidden_url() {
    let canary = Server::of(page(HTML, b"<p>secret</p>")).await;
    let port = canary.address.port();
    let names = Names::of(&[
        ("private.example", &[&["127.0.0.1"]]),
        ("mixed.example", &[&[PUBLIC, "127.0.0.1"]]),
        ("mapped.example", &[&["::ffff:127.0.0.1"]]),
        ("link.example", &[&["fe80::1"]]),
        ("pages.example", &[&["127.0.0.1"]]),
    ]);
    let line = Line::to_port(port);
    let guarded = fetcher(names.clone(), line.clone(), &[]);
    for url in FORBIDDEN {
        let failed = guarded.fetch(url, PAGES).await.unwrap_err();
        assert!(matches!(failed, FetchError::Refused(_)), "{url}: {failed:?}");
        assert_eq!((failed.code().name(), failed.retry()), ("url_not_allowed", false), "{url}");
        // The error must not reveal this machine's network.
        if matches!(failed, FetchError::Refused(Refusal::ResolvesTo(_))) {
            assert!(!failed.to_string().contains("127"), "{failed}");
        }
    }
    let with_port = format!("http://127.0.0.1:{port}/");
    assert!(guarded.fetch(&with_port, PAGES).await.is_err());
    assert_eq!((canary.requests().len(), line.dialled().len()), (0, 0));
    // Positive control: the canary answers where the operator allows it.
    let allowed = fetcher(names, line, &["private.example"]);
    assert!(allowed.fetch("http://private.example/", PAGES).await.is_ok());
    assert_eq!(canary.requests().len(), 1);
}

#[tokio::test]
async fn i15_redirects_do_not_lead_inside() {
    let canary = Server::of(page(HTML, b"<p>secret</p>")).await;
    let names = Names::of(&[
        ("pages.example", &[&[PUBLIC]]),
        ("private.example", &[&["127.0.0.1"]]),
        ("mixed.example", &[&[PUBLIC, "10.0.0.1"]]),
        ("mapped.example", &[&["::ffff:127.0.0.1"]]),
        ("link.example", &[&["fe80::1"]]),
    ]);
    let canary_url = format!("http://{}/", canary.address);
    for to in FORBIDDEN.iter().copied().chain([canary_url.as_str(), "//127.0.0.1/", "//private.example"]) {
        // A `Location` is bytes: characters beyond ASCII arrive escaped or raw.
        let location = to.to_owned();
        let server = Server::start(move |_| redirect(&location)).await;
        let line = Line::to(server.address);
        let failed = fetcher(names.clone(), line.clone(), &[]).fetch("http://pages.example/", PAGES).await.unwrap_err();
        assert!(matches!(failed, FetchError::Refused(_)), "{to}: {failed:?}");
        assert_eq!(line.dialled(), [format!("{PUBLIC}:80")], "{to}");
    }
    assert_eq!(canary.requests().len(), 0);
}

#[tokio::test]
async fn i15_pages_that_are_redirects_do_not_lead_inside() {
    let names = Names::of(&[("pages.example", &[&[PUBLIC]]), ("private.example", &[&["127.0.0.1"]])]);
    for to in
        ["http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/", "//private.example/", "file:///etc/passwd"]
    {
        let html = format!("<meta http-equiv=refresh content='0;url={to}'>");
        let server = Server::of(page(HTML, html.as_bytes())).await;
        let line = Line::to(server.address);
        let failed = fetcher(names.clone(), line.clone(), &[]).fetch("http://pages.example/", PAGES).await.unwrap_err();
        assert!(matches!(failed, FetchError::Refused(_)), "{to}: {failed:?}");
        assert_eq!(line.dialled(), [format!("{PUBLIC}:80")], "{to}");
    }
}

#[tokio::test]
async fn a_name_that_changes_its_mind_is_asked_once() {
    let server = Server::of(page(HTML, b"<p>x")).await;
    let names = Names::of(&[("rebinds.example", &[&[PUBLIC], &["127.0.0.1"]])]);
    let line = Line::to(server.address);
    let fetcher = fetcher(names.clone(), line.clone(), &[]);
    assert!(fetcher.fetch("http://rebinds.example/", PAGES).await.is_ok());
    assert_eq!((line.dialled(), names.times_asked()), (vec![format!("{PUBLIC}:80")], 1));
    let failed = fetcher.fetch("http://rebinds.example/", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Refused(Refusal::ResolvesTo(_))), "{failed:?}");
    assert_eq!(line.dialled().len(), 1);
}

#[tokio::test]
async fn a_redirect_to_the_same_name_is_looked_up_and_judged_again() {
    let server = Server::of(redirect("/inside")).await;
    let names = Names::of(&[("rebinds.example", &[&[PUBLIC], &["192.168.0.1"]])]);
    let line = Line::to(server.address);
    let failed = fetcher(names, line.clone(), &[]).fetch("http://rebinds.example/", PAGES).await.unwrap_err();
    assert!(matches!(failed, FetchError::Refused(Refusal::ResolvesTo(_))), "{failed:?}");
    assert_eq!(line.dialled(), [format!("{PUBLIC}:80")]);
}

#[tokio::test]
async fn what_one_host_is_allowed_no_other_is() {
    let canary = Server::of(page(HTML, b"<p>inside</p>")).await;
    let names = Names::of(&[("wiki.corp", &[&["127.0.0.1"]]), ("private.example", &[&["127.0.0.1"]])]);
    let fetcher = fetcher(names, Line::to_port(canary.address.port()), &["wiki.corp"]);
    assert!(fetcher.fetch("http://wiki.corp/", PAGES).await.is_ok());
    for url in ["http://private.example/", "http://127.0.0.1/", "http://a.wiki.corp/", "http://wiki.corp:81/"] {
        assert!(matches!(fetcher.fetch(url, PAGES).await, Err(FetchError::Refused(_))), "{url}");
    }
    assert_eq!(canary.requests().len(), 1);
}

proptest! {
    #[test]
    fn one_special_address_among_any_refuses_them_all(
        special in any_special(), before in 0_usize..3, after in 0_usize..3, https: bool,
    ) {
        let public = ["93.184.216.34", "2606:4700::1111", "8.8.8.8"];
        let special = special.to_string();
        let answer: Vec<&str> =
            public[..before].iter().copied().chain([special.as_str()]).chain(public[..after].iter().copied()).collect();
        let names = Names::of(&[("mixed.example", &[&answer])]);
        let line = Line::dead();
        let url = if https { "https://mixed.example/" } else { "http://mixed.example/" };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let failed = runtime.block_on(fetcher(names, line.clone(), &[]).fetch(url, PAGES)).unwrap_err();
        prop_assert!(matches!(failed, FetchError::Refused(Refusal::ResolvesTo(_))), "{:?}", failed);
        prop_assert!(line.dialled().is_empty());
    }
}
