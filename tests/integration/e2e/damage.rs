//! The state's files are damaged between two starts: a revoked key stays revoked, no loss goes unreported, and the
//! command that the error message names restores everything.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::UNHURRIED;
use crate::service::{Client, Service, id, operate};

/// Copies a folder recursively.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &to),
            false => drop(std::fs::copy(&path, &to).unwrap()),
        }
    }
}

/// What must exist after every start.
struct Expected {
    generations: Vec<String>,
    balance: serde_json::Value,
    key: String,
    revoked: String,
}

impl Expected {
    async fn check(&self, service: &Service, what: &str) {
        let client = Client::new(&service.base, &self.key);
        let revoked = client.with_key(&self.revoked).get("/api/brands").await.status;
        assert_eq!(revoked, 401, "{what}: a revoked key works again");
        let listed = client.get("/api/generations?limit=100").await.json();
        let there: Vec<_> = listed["generations"].as_array().unwrap().iter().map(|g| id(g).to_owned()).collect();
        assert_eq!(there.len(), self.generations.len(), "{what}: generations are gone");
        assert_eq!(client.get("/api/credits/balance").await.json()["available"], self.balance, "{what}");
    }
}

#[tokio::test]
async fn i16_damaged_state_is_never_served() {
    let origin = tempfile::tempdir().unwrap();
    let settings = [&UNHURRIED[..], &["--workers", "0"]].concat();
    let service = Service::start(origin.path(), &settings);
    let (client, key) = (service.client(), service.key.clone().unwrap());
    let mut generations = Vec::new();
    for n in 0..12 {
        let text = format!("Habit {n} of calm teams.\n\nWrite decisions down. Meet less. Ship small.");
        let body = json!({"inputType": "text", "inputContent": text, "outputFormats": ["ad_mpu"]});
        generations.push(id(&client.create(&body).await).to_owned());
    }
    let said = |words: &[&str]| -> serde_json::Value {
        let said = operate(origin.path(), words);
        assert!(said.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).unwrap_or_default()
    };
    let account = id(&said(&["account", "list"])["accounts"][0]).to_owned();
    let made = said(&["key", "create", &account, "leaked"]);
    let revoked = made["secret"].as_str().unwrap().to_owned();
    assert_eq!(client.with_key(&revoked).get("/api/brands").await.status, 200);
    said(&["key", "revoke", &account, id(&made["key"])]);
    assert!(operate(origin.path(), &["export"]).status.success());
    let balance = client.get("/api/credits/balance").await.json()["available"].clone();
    assert!(service.stop().success());

    let expected = Expected { generations, balance, key, revoked };
    let files: [PathBuf; 2] = ["state/db".into(), newest_segment(origin.path())];
    let (mut refused, mut tries) = (0, 0);
    for (n, file) in (0..10).flat_map(|n| files.iter().map(move |file| (n, file))) {
        let folder = tempfile::tempdir().unwrap();
        copy(origin.path(), folder.path());
        let path = folder.path().join(file);
        let mut bytes = std::fs::read(&path).unwrap();
        // Damage at positions all over the file; in the last round it is truncated.
        let at = (bytes.len() - 1) * n / 9;
        match n {
            9 => bytes.truncate(bytes.len() * 4 / 5),
            _ => bytes[at] ^= 0x40,
        }
        std::fs::write(&path, bytes).unwrap();
        let what = format!("byte {at} of {}", file.display());
        tries += 1;
        let service = match Service::try_start(folder.path(), &settings) {
            Ok(service) => service,
            Err(said) => {
                let said = said.join("\n");
                assert!(said.contains("coordinator recover") && said.contains("Newest export: "), "{what}: {said}");
                let recovered = operate(folder.path(), &["recover"]);
                assert!(recovered.status.success(), "{what}: {said}\n{}", String::from_utf8_lossy(&recovered.stderr));
                refused += 1;
                Service::start(folder.path(), &settings)
            }
        };
        expected.check(&service, &what).await;
    }
    assert_eq!(tries, 20);
    assert!(refused > 0);
}

fn newest_segment(data: &Path) -> PathBuf {
    let files = std::fs::read_dir(data.join("state/journal")).unwrap().map(|file| file.unwrap().path());
    let newest = files.filter(|path| path.extension().is_some()).max().unwrap();
    newest.strip_prefix(data).unwrap().to_owned()
}

#[tokio::test]
async fn a_state_that_is_gone_is_not_begun_anew_beside_its_exports() {
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), &UNHURRIED);
    let key = service.key.clone().unwrap();
    assert!(operate(data.path(), &["export"]).status.success());
    assert!(service.stop().success());
    std::fs::remove_dir_all(data.path().join("state")).unwrap();
    let said = Service::try_start(data.path(), &UNHURRIED).err().expect("it refuses").join("\n");
    assert!(said.contains("coordinator recover"), "{said}");
    assert!(operate(data.path(), &["recover"]).status.success());
    let service = Service::start(data.path(), &UNHURRIED);
    assert_eq!(Client::new(&service.base, &key).get("/api/brands").await.status, 200);
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_stored_is_its_owners_alone_whatever_the_umask() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let service = crate::service::start_under_open_umask(&data, &UNHURRIED);
    let body = json!({"inputType": "text", "inputContent": "Cool the room.", "outputFormats": ["ad_mpu"]});
    service.client().completed(&body).await;
    assert!(operate(&data, &["export"]).status.success());
    let (mut folders, mut files) = (vec![data], 0);
    while let Some(folder) = folders.pop() {
        let mode = std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // Some files are deleted in the meantime.
            let Ok(there) = std::fs::metadata(&path) else { continue };
            assert_eq!(there.permissions().mode() & 0o777, 0o600, "{}", path.display());
            files += 1;
        }
    }
    assert!(files > 8, "{files}");
}
