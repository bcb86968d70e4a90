/** Scrolling and focus after a form was answered, or the page's data reloaded, without a new page. */

/** Returns the form, or the main element when the form is no longer displayed. */
const placeOf = (form: HTMLFormElement): Element | null =>
	form.isConnected ? form : document.querySelector('main');

/** Returns the first notice of a kind: in the form, else on the page. */
function noticeOf(form: HTMLFormElement, kind: 'done' | 'fail'): Element | null {
	const selector = `[data-kind="${kind}"]`;
	return placeOf(form)?.querySelector(selector) ?? document.querySelector(`main ${selector}`);
}

/**
 * Scrolls the result of a form into view: its success notice, else the element marked as the answer. The
 * latter is often longer than the window, so it is aligned to the top, unless its beginning is already
 * visible.
 */
export function bringToAnswer(form: HTMLFormElement): void {
	const notice = noticeOf(form, 'done');
	if (notice !== null) return notice.scrollIntoView({ block: 'nearest' });
	const answer = document.querySelector('main [data-answer]');
	if (answer === null) return;
	const { top } = answer.getBoundingClientRect();
	if (top < 0 || top > innerHeight / 2) answer.scrollIntoView({ block: 'start' });
}

/** Scrolls the notice of a failed submission into view, and keeps the focus. */
export function bringToNotice(form: HTMLFormElement, submitter: HTMLElement | null): void {
	noticeOf(form, 'fail')?.scrollIntoView({ block: 'nearest' });
	// A button that was disabled in the meantime has lost the focus.
	if (isFocusLost()) submitter?.focus({ preventScroll: true });
}

/**
 * Whether no element has the focus, or where SvelteKit moves it after a successful form: the body, or the
 * target of the URL's fragment.
 */
function isFocusLost(): boolean {
	const { activeElement, body } = document;
	return (
		activeElement === null || activeElement === body || `#${activeElement.id}` === location.hash
	);
}

/**
 * Returns fallbacks for a focus that a form's response removes, nearest first: the button, then focusable
 * ancestors of the form.
 */
export function placesAround(form: Element, submitter: HTMLElement | null): HTMLElement[] {
	const places = submitter === null ? [] : [submitter];
	for (let part = form.parentElement; part !== null; part = part.parentElement) {
		if (part.hasAttribute('tabindex')) places.push(part);
	}
	return places;
}

/**
 * Remembers the focused element before the response of a form is applied.
 * @returns a function that restores a lost focus: to that element if it still exists, else to the first
 * place that accepts it
 */
export function rememberFocus(places: readonly HTMLElement[]): () => void {
	const before = document.activeElement;
	const giveBack = (): void => {
		if (!isFocusLost()) return;
		for (const place of [before, ...places, document.querySelector('main')]) {
			if (!(place instanceof HTMLElement) || place === document.body || !place.isConnected)
				continue;
			place.focus({ preventScroll: true });
			// A disabled or removed element does not accept the focus.
			if (!isFocusLost()) return;
		}
	};
	return () => {
		giveBack();
		// SvelteKit moves the focus to the fragment's target a moment later.
		if (location.hash !== '') setTimeout(giveBack);
	};
}

/**
 * Remembers the focused element before the page's data is reloaded. Without focus, a screen reader starts again
 * at the top of the window.
 * @returns a function that moves the focus, if the reload has removed that element, to the nearest place around
 */
export function holdFocus(): () => void {
	const before = document.activeElement;
	if (before === null || before === document.body) return () => undefined;
	const giveBack = rememberFocus(placesAround(before, null));
	return () => {
		if (!before.isConnected) giveBack();
	};
}

/**
 * Moves the focus to the first field or group with an error, unless the user is typing elsewhere; without
 * such a field scrolls to the notice.
 */
export function bringToFault(form: HTMLFormElement, submitter: HTMLElement | null): void {
	const { activeElement } = document;
	const place = placeOf(form);
	const isElsewhere = activeElement !== submitter && place?.contains(activeElement) === false;
	if (isElsewhere && !isFocusLost()) return;
	const field = place?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]');
	if (field) {
		field.focus();
		// A radio group cannot take the focus itself.
		if (document.activeElement !== field)
			field.querySelector<HTMLElement>('input:enabled')?.focus();
		return;
	}
	bringToNotice(form, submitter);
}
