"""Tests the generated Python client against a running service: use.py BASE KEY PDF, with the client on PYTHONPATH."""

import io
import sys
import time
from pathlib import Path

from vivid_client import AuthenticatedClient
from vivid_client.api.brand_kits import create_brand, set_logo
from vivid_client.api.generations import create_generation, list_generations, read_generation
from vivid_client.api.images import edit_image
from vivid_client.api.uploads import create_upload
from vivid_client.models import (
    BrandRequest,
    CreationRequest,
    EditProposal,
    EditRequest,
    EditResult,
    Error,
    Generation,
    KnownGenerationStatus,
    UploadRequest,
)
from vivid_client.types import File

base, key, pdf = sys.argv[1:]
client = AuthenticatedClient(base_url=base, token=key, raise_on_unexpected_status=True, timeout=60)


def completed(id):
    """Waits until a generation is completed, then returns it."""
    for _ in range(300):
        generation = read_generation.sync(id, client=client).generation
        if generation.status in ("completed", "partial", "failed", "cancelled"):
            assert generation.status == "completed", generation
            return generation
        time.sleep(0.1)
    raise AssertionError(f"generation {id} does not end")


# Create and poll.
request = CreationRequest(input_type="text", input_content="Sleep better. Keep one bedtime.", output_formats=["instagram_post"])
generation = completed(create_generation.sync(client=client, body=request).generation.id)
assert generation.status is KnownGenerationStatus.COMPLETED
[output] = generation.outputs
image = client.get_httpx_client().get(output.image_url).content
assert image.startswith(b"\x89PNG") and len(image) == output.bytes_, "the image is not what it is said to be"
assert [listed.id for listed in list_generations.sync(client=client, limit=1).generations] == [generation.id]

# Edit: read the proposal, then confirm it.
prompt = EditRequest(output_id=str(output.id), prompt="Make the headline a bit smaller")
proposal = edit_image.sync(generation.id, client=client, body=prompt)
assert isinstance(proposal, EditProposal), proposal
prompt.confirmed_instruction = proposal.refined_instruction
result = edit_image.sync(generation.id, client=client, body=prompt)
assert isinstance(result, EditResult) and result.version == 2, result

# Upload a file, and make images of it.
file = File(payload=io.BytesIO(Path(pdf).read_bytes()), file_name="report.pdf", mime_type="application/pdf")
upload = create_upload.sync(client=client, body=UploadRequest(file=file)).upload
assert upload.mime_type == "application/pdf" and upload.bytes_ == Path(pdf).stat().st_size, upload
request = CreationRequest(input_type="pdf", file_id=str(upload.id), output_formats=["quote_card"])
completed(create_generation.sync(client=client, body=request).generation.id)

# Send bytes as the body.
brand = create_brand.sync(client=client, body=BrandRequest(name="Acme")).brand
written = set_logo.sync(brand.id, client=client, body=File(payload=io.BytesIO(image)))
assert written.brand.logo_url, written

# Errors have one type, whatever the operation.
missing = read_generation.sync(brand.id, client=client)
assert isinstance(missing, Error) and missing.code == "generation_not_found", missing

# The client accepts values and fields that a later version adds.
answer = generation.to_dict()
answer |= {"status": "archived", "outputFormats": ["hologram"], "addedLater": [1]}
answer["outputs"][0] |= {"formatId": "hologram", "mimeType": "image/avif"}
answer["warnings"] = [{"code": "added_later", "message": "m"}]
later = Generation.from_dict(answer)
assert (later.status, later.outputs[0].format_id, later.warnings[0].code) == ("archived", "hologram", "added_later")
assert later.additional_properties == {"addedLater": [1]}
