//! Adapters and devices, and the detection of device loss.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;
use std::sync::Arc;

use core::time::Duration;
use parking_lot::Mutex;

use crate::limits::DEVICE_WAIT;
use crate::raster::{DeviceFault, RasterError};

/// After a failure, how often to check whether the device is lost, and the pause after each check.
const LOSS_LOOKS: u32 = 20;
const LOSS_PAUSE: Duration = Duration::from_millis(5);

/// A graphics adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// Its index in the list of [`adapters`].
    pub index: usize,
    /// The name that its driver reports.
    pub name: String,
    /// `vulkan`, `metal` or `dx12`.
    pub backend: &'static str,
    /// The kind of adapter.
    pub kind: AdapterKind,
}

/// The kind of an adapter, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdapterKind {
    /// A dedicated graphics card.
    Discrete,
    /// A GPU that shares the processor's memory.
    Integrated,
    /// A part of a GPU, assigned to a virtual machine.
    Virtual,
    /// The driver doesn't report a kind.
    Other,
    /// A software renderer on the processor.
    Software,
}

/// Selects the adapter to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// The best kind available, software last; among equals, the first.
    Any,
    /// The best adapter that isn't software.
    Hardware,
    /// The adapter with this index in [`adapters`].
    Index(usize),
    /// The first adapter whose name contains this text, case-insensitive.
    Name(String),
}

impl FromStr for Selector {
    type Err = std::convert::Infallible;

    /// Parses `any`, `hardware`, a number, or a part of a name.
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        Ok(match s {
            "any" => Self::Any,
            "hardware" => Self::Hardware,
            s => s.parse().map_or_else(|_| Self::Name(s.to_owned()), Self::Index),
        })
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Hardware => f.write_str("hardware"),
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// Why no device was opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No adapter matches the selector; there may be no driver.
    #[error("no graphics adapter matches '{0}'")]
    NoAdapter(Selector),
    /// The adapter lacks a required feature.
    #[error("{adapter} cannot draw here: {lack}")]
    Unfit {
        /// The adapter's name.
        adapter: String,
        /// The missing feature.
        lack: &'static str,
    },
    /// The driver refused to open the device.
    #[error("{adapter} did not open: {reason}")]
    Refused {
        /// The adapter's name.
        adapter: String,
        /// The driver's error message.
        reason: String,
    },
}

/// An open device, to pass to a rasteriser.
pub struct Device {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) adapter: Adapter,
    /// The format in which colours are blended.
    pub(super) color_format: wgpu::TextureFormat,
    pub(super) state: Arc<State>,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").field("adapter", &self.adapter).finish_non_exhaustive()
    }
}

/// Returns the adapters of this machine, in the order in which the drivers list them; empty without a driver.
pub fn adapters() -> Vec<Adapter> {
    enumerate().1.into_iter().map(|(_, adapter)| adapter).collect()
}

fn enumerate() -> (wgpu::Instance, Vec<(wgpu::Adapter, Adapter)>) {
    let backends = wgpu::Backends::VULKAN | wgpu::Backends::METAL | wgpu::Backends::DX12;
    let descriptor = wgpu::InstanceDescriptor {
        backends,
        // Neither validation layers nor debug labels: wgpu itself detects errors.
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    };
    let instance = wgpu::Instance::new(descriptor);
    let found = pollster::block_on(instance.enumerate_adapters(backends));
    let describe = |(index, adapter): (usize, wgpu::Adapter)| {
        let info = adapter.get_info();
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
            wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
            wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
            wgpu::DeviceType::Other => AdapterKind::Other,
            wgpu::DeviceType::Cpu => AdapterKind::Software,
        };
        (adapter, Adapter { index, name: info.name, backend: info.backend.to_str(), kind })
    };
    let list = found.into_iter().enumerate().map(describe).collect();
    (instance, list)
}

/// Opens a device without a window.
///
/// # Errors
/// [`OpenError`].
pub fn open_device(selector: &Selector) -> Result<Device, OpenError> {
    let (_instance, mut list) = enumerate();
    // The sort is stable: adapters of the same kind keep their order.
    if matches!(selector, Selector::Any | Selector::Hardware) {
        list.sort_by_key(|(_, adapter)| adapter.kind);
    }
    let fits = |adapter: &Adapter| match selector {
        Selector::Any => true,
        Selector::Hardware => adapter.kind != AdapterKind::Software,
        Selector::Index(index) => adapter.index == *index,
        Selector::Name(name) => adapter.name.to_lowercase().contains(&name.to_lowercase()),
    };
    let Some((found, adapter)) = list.into_iter().find(|(_, adapter)| fits(adapter)) else {
        return Err(OpenError::NoAdapter(selector.clone()));
    };
    let (color_format, features) = color_format(&found);
    let limits = limits(&found);
    let lack = |lack| OpenError::Unfit { adapter: adapter.name.clone(), lack };
    if limits.max_storage_buffers_per_shader_stage < 6 {
        return Err(lack("storage buffers"));
    }
    if !found.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        return Err(lack("compute shaders"));
    }
    let request = found.request_device(&wgpu::DeviceDescriptor {
        label: None,
        required_features: features,
        required_limits: limits,
        ..wgpu::DeviceDescriptor::default()
    });
    let (device, queue) = pollster::block_on(request)
        .map_err(|e| OpenError::Refused { adapter: adapter.name.clone(), reason: e.to_string() })?;
    let state = Arc::new(State::default());
    state.watch(&device);
    Ok(Device { device, queue, adapter, color_format, state })
}

/// Chooses a format with 16 bits per channel: normalised integers, with 257 steps per 8-bit level, if the device can
/// blend them; otherwise floats, with 8 steps per level in the highlights.
fn color_format(adapter: &wgpu::Adapter) -> (wgpu::TextureFormat, wgpu::Features) {
    let integers = wgpu::TextureFormat::Rgba16Unorm;
    let needed = wgpu::Features::TEXTURE_FORMAT_16BIT_NORM | wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
    if adapter.features().contains(needed) {
        let there = adapter.get_texture_format_features(integers);
        if there.allowed_usages.contains(wgpu::TextureUsages::RENDER_ATTACHMENT)
            && there.flags.contains(wgpu::TextureFormatFeatureFlags::BLENDABLE)
        {
            return (integers, needed);
        }
    }
    (wgpu::TextureFormat::Rgba16Float, wgpu::Features::empty())
}

/// Returns the default limits, which every device supports, but with this adapter's limits for textures and buffers.
fn limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let most = adapter.limits();
    wgpu::Limits {
        max_texture_dimension_2d: most.max_texture_dimension_2d,
        max_buffer_size: most.max_buffer_size,
        max_storage_buffer_binding_size: most.max_storage_buffer_binding_size,
        ..wgpu::Limits::default()
    }
    .or_worse_values_from(&most)
}

/// The state of a device, as reported by its callbacks.
#[derive(Default)]
pub(super) struct State {
    lost: Mutex<Option<String>>,
    /// An error outside every error scope.
    stray: Mutex<Option<String>>,
}

impl State {
    fn watch(self: &Arc<Self>, device: &wgpu::Device) {
        let state = Arc::clone(self);
        device.set_device_lost_callback(move |reason, message| state.lose(&format!("{reason:?}: {message}")));
        let state = Arc::clone(self);
        // Without this callback, an error outside every scope would panic.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            *state.stray.lock() = Some(describe(&error));
        }));
    }

    pub fn lose(&self, why: &str) {
        let mut lost = self.lost.lock();
        lost.get_or_insert_with(|| why.trim().to_owned());
    }

    /// Checks whether the device can still be used.
    ///
    /// # Errors
    /// [`DeviceFault::Lost`], or once [`DeviceFault::Declined`] after an error outside every scope.
    pub fn check(&self) -> Result<(), RasterError> {
        if let Some(why) = self.lost.lock().as_ref() {
            return Err(fault(DeviceFault::Lost, why));
        }
        match self.stray.lock().take() {
            Some(error) => Err(declined(error)),
            None => Ok(()),
        }
    }
}

fn fault(fault: DeviceFault, message: impl Into<String>) -> RasterError {
    RasterError::Device { fault, message: message.into() }
}

/// Returns the error for something that this device can't draw but another may.
pub(super) fn declined(message: impl Into<String>) -> RasterError {
    fault(DeviceFault::Declined, message)
}

/// Formats an error and its causes in one line.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Device {
    /// Returns the adapter of the device.
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Runs `work` and returns the device errors that it causes. `work` must not wait for another thread's work on the
    /// device.
    pub(super) fn scoped<T>(&self, work: impl FnOnce() -> Result<T, RasterError>) -> Result<T, RasterError> {
        let scopes = [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory]
            .map(|filter| self.device.push_error_scope(filter));
        let done = work();
        // Pops all scopes, innermost first; the futures are ready.
        let errors = scopes.into_iter().rev().map(|scope| pollster::block_on(scope.pop())).collect::<Vec<_>>();
        self.state.check()?;
        let failed = errors.into_iter().flatten().next().map(|error| declined(describe(&error)));
        match failed.map_or(done, Err) {
            Err(error) if error.device_fault().is_some() => {
                // wgpu reports a lost device only after all submitted work is done, and to the thread that polls first.
                // That thread may not have run the callback yet, so this loop checks several times.
                for _ in 0..LOSS_LOOKS {
                    self.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(DEVICE_WAIT) })?;
                    std::thread::sleep(LOSS_PAUSE);
                }
                self.state.check()?;
                Err(error)
            }
            done => done,
        }
    }

    /// Waits until a submission is done. A device that takes longer than [`DEVICE_WAIT`] counts as lost.
    ///
    /// # Errors
    /// As for [`State::check`].
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), RasterError> {
        self.poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(DEVICE_WAIT) })
    }

    fn poll(&self, how: wgpu::PollType) -> Result<(), RasterError> {
        // wgpu panics if the device is lost during the wait. The closure changes none of our state, so unwinding is
        // safe.
        match catch_unwind(AssertUnwindSafe(|| self.device.poll(how))) {
            Ok(Ok(_)) => {}
            Ok(Err(wgpu::PollError::Timeout)) => self.state.lose("it hangs"),
            Ok(Err(error)) => {
                self.state.check()?;
                return Err(declined(error.to_string()));
            }
            Err(_) => self.state.lose("wgpu panicked while it waited for the device"),
        }
        self.state.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_read_back_as_they_are_written() {
        for text in ["any", "hardware", "3", "Radeon"] {
            assert_eq!(text.parse::<Selector>().map(|s| s.to_string()).as_deref(), Ok(text));
        }
        assert_eq!("3".parse(), Ok(Selector::Index(3)));
    }

    #[test]
    fn the_first_loss_is_remembered_and_a_stray_error_told_once() {
        let state = State::default();
        *state.stray.lock() = Some("odd".to_owned());
        assert_eq!(state.check(), Err(declined("odd")));
        assert_eq!(state.check(), Ok(()));
        state.lose("unplugged");
        state.lose("again");
        for _ in 0..2 {
            assert_eq!(state.check(), Err(fault(DeviceFault::Lost, "unplugged")));
        }
    }
}
