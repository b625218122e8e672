"""A die as the judge saw it, enlarged, as it lies in the picture: for a person to look at."""

from __future__ import annotations

from table.page.session import TableSession
from vision.domain import Image
from vision.opencv import cv2

DIE_URL = "/die.jpg"
SHOWN_PX = 360
ROOM = 2.2  # edges of a die around its middle: its neighbours and what it leans on should be seen
LEAST_PX, MOST_PX = 16, 1000


def die_url(center_px: tuple[float, float], edge_px: float, version: int) -> str:
    """Return where the picture of the die at `center_px` of the frame is; `version` of the state."""
    x, y = center_px
    return f"{DIE_URL}?x={x:.0f}&y={y:.0f}&side={ROOM * edge_px:.0f}&version={version}"


def die_jpeg(session: TableSession, x: float, y: float, side: float) -> bytes | None:
    """Return the square of `side` px around (x, y) of the picture that was judged, else of the newest.

    None when there is none there.
    """
    image, frame = _judged(session), session.picture.frame
    if image is None and frame is not None:
        image = frame.image_bgr
    half = min(max(side, LEAST_PX), MOST_PX) / 2
    if image is None or not (0 <= x < image.shape[1] and 0 <= y < image.shape[0]):
        return None
    low = [max(0, round(middle - half)) for middle in (y, x)]
    part = image[low[0] : round(y + half), low[1] : round(x + half)]
    scale = SHOWN_PX / max(part.shape[:2])
    shown = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", shown)[1].tobytes()


def _judged(session: TableSession) -> Image | None:
    lying, recorder = session.state.lying, session.recorder
    if lying is None or lying.verdict is None or recorder is None:
        return None
    return recorder.picture_of(lying.verdict)
