use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;

fn document() -> Value {
    let (_, api) = crate::api::paths().split_for_parts();
    serde_json::to_value(finish(api, "https://vivid.example")).unwrap()
}

#[test]
fn shows() {
    std::fs::write("/tmp/spec-openapi.json", serde_json::to_vec_pretty(&document()).unwrap()).unwrap();
    let (_, api) = crate::api::paths().split_for_parts();
    std::fs::write("/tmp/spec-ordered.json", serde_json::to_vec(&finish(api, "https://vivid.example")).unwrap())
        .unwrap();
}
