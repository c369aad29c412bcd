//! The slide with headless Chromium: one browser that keeps running, with a tab for each image in flight, controlled
//! with the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/). The document keeps its faces, and
//! its body is replaced for every image.

use std::fmt::Write as _;
use std::io::Read as _;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use render_core::text::Fonts;
use serde_json::{Value, json};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::slide::{self, Face, Rgb, Shape, Slide, Stand};
use crate::{Css, Peer};

/// Possible names of the binary.
const NAMES: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
];
/// Timeout for the start and for a response.
const PATIENCE: Duration = Duration::from_secs(60);
/// Polling interval for the start and the end of the process.
const LOOK: Duration = Duration::from_millis(50);

pub struct Chromium {
    css: Css,
    version: String,
    tabs: Vec<Mutex<Tab>>,
    browser: Mutex<Tab>,
    child: Child,
    /// Its profile folder, removed after the process has ended.
    _profile: tempfile::TempDir,
}

/// A connection to one target.
struct Tab {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    calls: u64,
}

/// Finds an installed browser by name.
pub fn installed() -> Option<&'static str> {
    NAMES.into_iter().find(|name| {
        let mut look = Command::new(name);
        look.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        look.status().is_ok_and(|status| status.success())
    })
}

impl Chromium {
    /// Starts `binary` with a tab for each lane, and loads the same faces as in the other renderers.
    pub fn start(binary: &str, fonts: &Fonts, lanes: usize) -> Result<Self> {
        let profile = tempfile::tempdir()?;
        let mut command = Command::new(binary);
        command.args(FLAGS).arg(format!("--user-data-dir={}", profile.path().display()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.arg("about:blank").spawn().with_context(|| format!("starting {binary}"))?;
        let connected = connect(&mut child, profile.path(), fonts, lanes);
        let (browser, version, tabs) = match connected {
            Ok(connected) => connected,
            Err(error) => {
                // The previous error is the cause; it doesn't matter whether the process has already ended.
                let _ = child.kill();
                let _ = child.wait();
                return Err(error);
            }
        };
        let tabs = tabs.into_iter().map(Mutex::new).collect();
        Ok(Self { css: Css::new(fonts), version, tabs, browser: Mutex::new(browser), child, _profile: profile })
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let browser = self.browser.get_mut();
        // After a close request, the browser ends all its processes and stops using its profile.
        let asked = browser.call("Browser.close", &json!({})).is_ok();
        let begun = Instant::now();
        while asked && begun.elapsed() < PATIENCE / 6 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(LOOK);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Peer for Chromium {
    fn name(&self) -> &'static str {
        "chromium"
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn png(&self, slide: &Slide, size: (u32, u32), lane: usize) -> Result<Vec<u8>> {
        let mut tab = self.tabs[lane].lock();
        tab.resize(size)?;
        let body = serde_json::to_string(&body(slide, size, &self.css)?)?;
        tab.evaluate(&format!("document.body.innerHTML = {body}; true"))?;
        let shot = tab.call("Page.captureScreenshot", &json!({ "format": "png" }))?;
        let data = shot["data"].as_str().context("a screenshot without data")?;
        Ok(STANDARD.decode(data)?)
    }
}

/// Returns the browser's own connection, its version, and the tabs.
fn connect(
    child: &mut Child,
    profile: &std::path::Path,
    fonts: &Fonts,
    lanes: usize,
) -> Result<(Tab, String, Vec<Tab>)> {
    let begun = Instant::now();
    // The browser writes its port, and on the next line the path of its own target.
    let (port, path) = loop {
        let mut text = String::new();
        if let Ok(mut file) = std::fs::File::open(profile.join("DevToolsActivePort")) {
            file.read_to_string(&mut text)?;
        }
        if let Some((port, path)) = text.trim().split_once('\n') {
            break (port.parse::<u16>()?, path.to_owned());
        }
        if let Some(status) = child.try_wait()? {
            bail!("the browser ended at once: {status}");
        }
        if begun.elapsed() > PATIENCE {
            bail!("the browser did not open its port in {PATIENCE:?}");
        }
        std::thread::sleep(LOOK);
    };
    let mut browser = Tab::connect(port, &path)?;
    let version = browser.call("Browser.getVersion", &json!({}))?;
    let version = version["product"].as_str().unwrap_or("unknown").to_owned();
    let mut tabs = Vec::with_capacity(lanes);
    for _ in 0..lanes {
        // Each tab needs its own window, because Chromium does not render a tab in the background.
        let target = json!({ "url": "about:blank", "newWindow": true });
        let made = browser.call("Target.createTarget", &target)?;
        let id = made["targetId"].as_str().context("a target without an id")?;
        let mut tab = Tab::connect(port, &format!("/devtools/page/{id}"))?;
        tab.open(fonts)?;
        tabs.push(tab);
    }
    Ok((browser, version, tabs))
}

impl Tab {
    fn connect(port: u16, path: &str) -> Result<Self> {
        // A screenshot is one message in one frame.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tungstenite::client::connect_with_config(url, Some(config), 0)?;
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_nodelay(true)?;
        }
        Ok(Self { socket, calls: 0 })
    }

    /// Calls a method and waits for its result.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.calls += 1;
        let call = json!({ "id": self.calls, "method": method, "params": params }).to_string();
        self.socket.send(Message::text(call)).with_context(|| method.to_owned())?;
        loop {
            let Message::Text(text) = self.socket.read().with_context(|| method.to_owned())? else { continue };
            let mut answer: Value = serde_json::from_str(&text)?;
            if answer["id"].as_u64() != Some(self.calls) {
                continue;
            }
            if let Some(error) = answer.get("error") {
                bail!("{method}: {error}");
            }
            return Ok(answer["result"].take());
        }
    }

    fn evaluate(&mut self, expression: &str) -> Result<()> {
        let params = json!({ "expression": expression, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", &params)?;
        match answer.get("exceptionDetails") {
            Some(exception) => bail!("the page: {exception}"),
            None => Ok(()),
        }
    }

    fn resize(&mut self, (width, height): (u32, u32)) -> Result<()> {
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", &metrics).map(drop)
    }

    /// Opens an empty document that contains the faces.
    fn open(&mut self, fonts: &Fonts) -> Result<()> {
        let mut head = String::from("<!doctype html><meta charset=utf-8><style>");
        for face in Face::ALL {
            let data = STANDARD.encode(fonts.bytes(face.id(fonts)));
            write!(head, "@font-face{{font-family:{};src:url(data:font/ttf;base64,{data})}}", face.name())?;
        }
        head += "html,body{margin:0;width:100%;height:100%;overflow:hidden}\
            div{position:absolute;box-sizing:border-box}</style><body></body>";
        let tree = self.call("Page.getFrameTree", &json!({}))?;
        let frame = &tree["frameTree"]["frame"]["id"];
        self.call("Page.setDocumentContent", &json!({ "frameId": frame, "html": head }))?;
        let loaded: Vec<String> =
            Face::ALL.iter().map(|f| format!("document.fonts.load('16px {}')", f.name())).collect();
        self.evaluate(&format!("Promise.all([{}])", loaded.join(",")))
    }
}

fn body(slide: &Slide, (width, height): (u32, u32), css: &Css) -> Result<String> {
    let px = width as f32 / slide::WIDTH;
    let [from, to] = slide::GROUND.map(Rgb::hex);
    let mut out = format!(
        r#"<div style="left:0;top:0;width:{width}px;height:{height}px;background:linear-gradient({} in oklab,{from},{to})"></div>"#,
        slide::CSS_ANGLE
    );
    let mut boxed = |rect: render_core::scene::Rect, radius: f32, fill: Rgb, shadow: &str| {
        write!(
            out,
            r#"<div style="left:{}px;top:{}px;width:{}px;height:{}px;border-radius:{}px;background:{}{shadow}"></div>"#,
            rect.x0 * px,
            rect.y0 * px,
            rect.w() * px,
            rect.h() * px,
            radius * px,
            fill.hex()
        )
    };
    let Rgb(r, g, b) = slide::SHADOW;
    let shadow = format!(
        ";box-shadow:0 {}px {}px rgb({r} {g} {b} / {})",
        slide::SHADOW_DOWN * px,
        slide::SHADOW_BLUR * px,
        slide::SHADOW_ALPHA
    );
    for shape in &slide.shapes {
        match *shape {
            Shape::Card(rect, fill) => boxed(rect, slide::CARD_RADIUS, fill, &shadow)?,
            Shape::Disc(c, radius, fill) => {
                boxed(render_core::scene::Rect::at(c.x, c.y, 0.0, 0.0).grow(radius), radius, fill, "")?;
            }
        }
    }
    for text in &slide.texts {
        let align = match text.stand {
            Stand::Start => "left",
            Stand::Center => "center",
            Stand::End => "right",
        };
        write!(
            out,
            r#"<div style="left:{}px;top:{}px;width:{}px;font:{}px/{}px {};letter-spacing:{}em;word-spacing:{}em;text-align:{align};color:{}">{}</div>"#,
            text.x * px,
            css.top(text, px),
            text.width * px,
            text.size * px,
            text.step * px,
            text.face.name(),
            text.tracking,
            text.word_spacing(),
            text.color.hex(),
            text.words
        )?;
    }
    Ok(out)
}
