//! Stored images equal the rendered ones (I17): a damaged image gets 503, is rendered again free of charge, and is then
//! served unchanged.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Client, key_in, operate};

/// Time limit for a repair on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(120);

fn request(images: u32) -> Value {
    json!({
        "inputType": "text", "inputContent": "Four habits of calm teams. Write decisions down. Meet less. Ship small. Rest well.",
        "outputFormats": ["linkedin_carousel"], "carouselCounts": {"linkedin_carousel": images},
    })
}

/// Returns the file behind a URL, for a service that stores its objects in a folder.
fn file(data: &Path, url: &str) -> PathBuf {
    data.join("store").join(key_in(url))
}

fn urls(generation: &Value, field: &str) -> Vec<String> {
    generation["outputs"].as_array().unwrap().iter().map(|o| o[field].as_str().unwrap().to_owned()).collect()
}

/// Overwrites a file in place, like a disk that returns wrong bytes.
fn damage(file: &Path, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(file).unwrap();
    change(&mut bytes);
    std::fs::write(file, bytes).unwrap();
}

/// Requests an image until it is served. Until then, every response must be 503 `storage_damaged`. Returns the number
/// of those.
async fn repaired(client: &Client, url: &str, whole: &[u8]) -> u32 {
    let (until, mut refused) = (Instant::now() + PATIENCE, 0);
    loop {
        let answer = client.get(url).await;
        if answer.status == 200 {
            assert!(answer.body == whole, "other bytes were served");
            return refused;
        }
        assert_eq!(answer.error(503, "unavailable"), "storage_damaged");
        assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|s| (1..=60).contains(&s)), "{answer:?}");
        refused += 1;
        assert!(Instant::now() < until, "not repaired in time");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn balance(client: &Client) -> Value {
    client.get("/api/credits/balance").await.json()
}

#[tokio::test]
async fn i17_a_damaged_image_is_never_served_and_comes_back_for_nothing() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let generation = client.completed(&request(3)).await;
    let open = client.with_key("");
    let (images, small) = (urls(&generation, "imageUrl"), urls(&generation, "thumbnailUrl"));
    let (balance_before, mut whole) = (balance(&client).await, Vec::new());
    for url in images.iter().chain(&small) {
        let answer = open.get(url).await;
        assert_eq!(answer.status, 200);
        whole.push(answer.body);
    }
    // The image has passed its check by now, but each of these changes must be detected all the same.
    let attacks: [fn(&Path); 3] = [
        |file| damage(file, |bytes| *bytes.last_mut().unwrap() ^= 1),
        |file| damage(file, |bytes| bytes.truncate(bytes.len() / 2)),
        |file| std::fs::remove_file(file).unwrap(),
    ];
    for attack in attacks {
        attack(&file(data.path(), &images[0]));
        for (method, name, value) in
            [("HEAD", "accept", "*/*"), ("GET", "range", "bytes=0-9"), ("GET", "if-none-match", "\"x\"")]
        {
            let answer = open.send(open.request(method, &images[0]).header(name, value)).await.unwrap();
            // The repair may be finished before the second request.
            assert!([200, 206, 503].contains(&answer.status), "{answer:?}");
            if answer.status == 206 {
                assert_eq!(answer.body, whole[0][..10]);
            }
        }
        repaired(&open, &images[0], &whole[0]).await;
        attack(&file(data.path(), &small[0]));
        assert!(repaired(&open, &small[0], &whole[3]).await > 0, "it was not noticed");
    }
    let (a, b, aside) =
        (file(data.path(), &images[1]), file(data.path(), &images[2]), data.path().join("store").join("aside"));
    for (from, to) in [(&a, &aside), (&b, &a), (&aside, &b)] {
        std::fs::rename(from, to).unwrap();
    }
    for place in [1, 2] {
        assert!(repaired(&open, &images[place], &whole[place]).await > 0, "images that changed places were served");
    }
    assert_eq!(balance(&client).await, balance_before);
    let after = client.generation(generation["id"].as_str().unwrap()).await;
    assert_eq!((&after["status"], &after["creditsCharged"]), (&json!("completed"), &generation["creditsCharged"]));
}

#[tokio::test]
async fn i17_an_archive_with_a_damaged_image_is_refused() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let generation = client.completed(&request(2)).await;
    let path = format!("/api/generations/{}/export?format=zip", generation["id"].as_str().unwrap());
    damage(&file(data.path(), &urls(&generation, "imageUrl")[1]), |bytes| bytes[99] ^= 8);
    assert_eq!(client.get(&path).await.status, 503);
    let until = Instant::now() + PATIENCE;
    while client.get(&path).await.status != 200 {
        assert!(Instant::now() < until, "not repaired in time");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn i17_a_scrub_finds_damage_before_anybody_reads_it() {
    let (data, _service, client) = fresh(&[&UNHURRIED[..], &["--scrub-days", "0"]].concat());
    let generation = client.completed(&request(2)).await;
    let images = urls(&generation, "imageUrl");
    let whole: Vec<Vec<u8>> = images.iter().map(|url| std::fs::read(file(data.path(), url)).unwrap()).collect();
    damage(&file(data.path(), &images[0]), |bytes| bytes[500] ^= 16);
    std::fs::remove_file(file(data.path(), &images[1])).unwrap();
    let scrub = |word: &str| -> Value {
        let said = operate(data.path(), &["scrub", word]);
        serde_json::from_slice(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"))
    };
    scrub("start");
    let until = Instant::now() + PATIENCE;
    loop {
        let scrub = scrub("show")["scrub"].take();
        if scrub["last"]["damaged"] == 2 && scrub["repairsUnderWay"] == 0 {
            assert_eq!(scrub["repairsFailed"], 0);
            break;
        }
        assert!(Instant::now() < until, "{scrub:#}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for (url, whole) in images.iter().zip(&whole) {
        let bytes = std::fs::read(file(data.path(), url)).unwrap();
        assert!(bytes == *whole, "rendered again before anybody asked");
        assert_eq!(repaired(&client.with_key(""), url, whole).await, 0);
    }
}

#[tokio::test]
async fn i17_an_image_whose_page_is_damaged_too_is_told_as_lost() {
    let (data, _service, client) = fresh(&UNHURRIED);
    let generation = client.completed(&request(2)).await;
    let images = urls(&generation, "imageUrl");
    damage(&file(data.path(), &images[0]), |bytes| bytes[500] ^= 16);
    // Damages every blob, which includes the pages.
    let mut folders: Vec<PathBuf> = vec![data.path().join("store/blobs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() { folders.push(entry) } else { damage(&entry, |bytes| bytes[0] ^= 1) }
        }
    }
    let (open, until) = (client.with_key(""), Instant::now() + PATIENCE);
    loop {
        let answer = open.get(&images[0]).await;
        assert_eq!(answer.error(503, "unavailable"), "storage_damaged");
        if answer.json()["message"].as_str().unwrap().contains("can't be restored") {
            break;
        }
        assert!(Instant::now() < until, "it is rendered for ever");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(open.get(&images[1]).await.status, 200, "the others are whole");
    // A new generation from the same text stores the blobs again.
    client.completed(&request(2)).await;
}
