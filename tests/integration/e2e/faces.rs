//! Tests of fonts added by the operator.

use serde_json::{Value, json};

use super::{UNHURRIED, codes, fresh};
use crate::repo;

fn request() -> Value {
    json!({
        "inputType": "text", "inputContent": "# ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ\n\n- ⵜⴰⵎⴰⵣⵉⵖⵜ\n- ᎠᏂᏴᏫ ᎠᎴ ⴰⵡⴰⵍ\n- ᎣᏏᏲ",
        "outputFormats": ["instagram_square"], "language": "en", "seed": 1,
    })
}

#[tokio::test]
async fn a_script_that_is_not_vendored_is_drawn_in_an_added_face() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["noto-sans-cherokee-400.ttf", "noto-sans-cherokee-700.woff2", "noto-sans-tifinagh-400.otf"] {
        std::fs::copy(repo::root().join("tests/data/fonts").join(file), folder.path().join(file)).unwrap();
    }
    // A broken font file does not prevent the start.
    std::fs::write(folder.path().join("broken.ttf"), [0, 1, 0, 0, 255, 255, 255]).unwrap();
    let with = [&UNHURRIED[..], &["--fonts", folder.path().to_str().unwrap()]].concat();
    let (_data, _service, client) = fresh(&with);
    let drawn = client.completed(&request()).await;
    assert!(!codes(&drawn["warnings"]).contains(&"missing_glyphs"), "{:#}", drawn["warnings"]);
    let picture = client.get(drawn["outputs"][0]["imageUrl"].as_str().unwrap()).await.body;

    let (_data, _service, client) = fresh(&UNHURRIED);
    let created = client.create(&request()).await;
    let without = client.finished(crate::service::id(&created)).await;
    match without["outputs"][0]["imageUrl"].as_str() {
        Some(url) => {
            assert!(codes(&without["warnings"]).contains(&"missing_glyphs"), "{:#}", without["warnings"]);
            assert_ne!(client.get(url).await.body, picture);
        }
        None => assert_eq!(without["status"], "failed", "{without:#}"),
    }
}

#[test]
fn a_folder_of_fonts_that_is_not_there_stops_the_start() {
    let data = tempfile::tempdir().unwrap();
    let output = crate::service::start_in_vain(data.path(), &["--fonts", "/nowhere/fonts"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("/nowhere/fonts"), "{said}");
}
