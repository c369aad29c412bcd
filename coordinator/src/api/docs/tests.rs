use serde_json::Value;

use super::*;
use crate::api::{paths, spec};

fn document() -> Vec<u8> {
    let (_, api) = paths().split_for_parts();
    serde_json::to_vec(&spec::finish(api, "https://vivid.example")).unwrap()
}

fn page() -> String {
    page::page(&document(), &STYLE)
}

/// What follows each `before` up to the next `after`.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

#[test]
fn it_shows_every_operation_and_every_code() {
    let page = page();
    let document: Value = serde_json::from_slice(&document()).unwrap();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            assert_eq!(page.matches(&format!("<article id=\"{id}\">")).count(), 1, "{id}");
        }
    }
    for response in document["components"]["responses"].as_object().unwrap().values() {
        for code in response["content"]["application/json"]["examples"].as_object().unwrap().keys() {
            assert_eq!(page.matches(&format!("<tr id=\"{code}\">")).count(), 1, "{code}");
        }
    }
}

#[test]
fn its_links_lead_somewhere_and_nothing_is_asked_of_others() {
    let page = page();
    let body = &page[page.find("<body>").unwrap()..];
    let ids = between(body, " id=\"", "\"");
    let links = between(body, " href=\"", "\"");
    assert!(links.len() > 100);
    for link in links {
        let there = link.strip_prefix('#').is_some_and(|anchor| ids.contains(&anchor));
        assert!(there || link == "openapi.json", "{link}");
    }
    let unique: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "an anchor stands twice");
    for never in ["<script", "javascript:", " src=", " style=", "@import", "url(http", " onclick"] {
        assert!(!page.contains(never), "{never}");
    }
}

#[test]
fn every_element_is_closed() {
    let page = page();
    let body = &page[page.find("<body>").unwrap()..];
    let mut open: Vec<&str> = Vec::new();
    for tag in between(body, "<", ">") {
        let name = tag.split([' ', '>']).next().unwrap();
        match name.strip_prefix('/') {
            Some("html") => {}
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{tag}"),
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn its_policy_allows_its_own_style_alone() {
    let page = page();
    let [style] = between(&page, "<style>", "</style>")[..] else { panic!("one style") };
    let hash = BASE64_STANDARD.encode(Sha256::digest(style.as_bytes()));
    let policy = POLICY.to_str().unwrap();
    assert!(policy.contains(&format!("style-src 'sha256-{hash}'")) && policy.starts_with("default-src 'none'"));
    assert!(!policy.contains("script-src") && !policy.contains("unsafe"));
}
