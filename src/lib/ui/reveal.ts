/** Where eyes and focus go after a form was answered without a new page. */

/** The form, or the page where the form is not shown any more. */
const placeOf = (form: HTMLFormElement): Element | null =>
	form.isConnected ? form : document.querySelector('main');

/** The first notice of a kind: that of the form, else that of the page. */
function noticeOf(form: HTMLFormElement, kind: 'done' | 'fail'): Element | null {
	const selector = `[data-kind="${kind}"]`;
	return placeOf(form)?.querySelector(selector) ?? document.querySelector(`main ${selector}`);
}

/**
 * What a form was taken for comes into view: the notice that says so, else what the page marks as the answer. That is
 * often longer than the window, so it begins at the top, unless its beginning is seen as it is.
 */
export function bringToAnswer(form: HTMLFormElement): void {
	const notice = noticeOf(form, 'done');
	if (notice !== null) return notice.scrollIntoView({ block: 'nearest' });
	const answer = document.querySelector('main [data-answer]');
	if (answer === null) return;
	const { top } = answer.getBoundingClientRect();
	if (top < 0 || top > innerHeight / 2) answer.scrollIntoView({ block: 'start' });
}

/** The notice of a form that was not answered as forms are comes into view, and the focus stays. */
export function bringToNotice(form: HTMLFormElement, submitter: HTMLElement | null): void {
	noticeOf(form, 'fail')?.scrollIntoView({ block: 'nearest' });
	// A button that was disabled meanwhile has lost it.
	if (isFocusLost()) submitter?.focus({ preventScroll: true });
}

/**
 * Whether nothing has the focus, or what SvelteKit gives it once a form was taken: the page as a whole, or the part
 * that the address names.
 */
function isFocusLost(): boolean {
	const { activeElement, body } = document;
	return (
		activeElement === null || activeElement === body || `#${activeElement.id}` === location.hash
	);
}

/** Where a focus goes that is lost by the answer of a form, the nearest first: the button, else what the form stands in. */
export function placesAround(form: HTMLFormElement, submitter: HTMLElement | null): HTMLElement[] {
	const places = submitter === null ? [] : [submitter];
	for (let part = form.parentElement; part !== null; part = part.parentElement) {
		if (part.hasAttribute('tabindex')) places.push(part);
	}
	return places;
}

/**
 * Remembers where the focus is before the answer of a form is shown.
 * @returns gives it back where it is lost: to who types elsewhere meanwhile, else to the first of the places that takes it
 */
export function rememberFocus(places: readonly HTMLElement[]): () => void {
	const before = document.activeElement;
	const giveBack = (): void => {
		if (!isFocusLost()) return;
		for (const place of [before, ...places, document.querySelector('main')]) {
			if (!(place instanceof HTMLElement) || place === document.body || !place.isConnected)
				continue;
			place.focus({ preventScroll: true });
			// What is disabled, or not shown any more, takes none.
			if (!isFocusLost()) return;
		}
	};
	return () => {
		giveBack();
		// SvelteKit goes to that part of the page a moment later.
		if (location.hash !== '') setTimeout(giveBack);
	};
}

/**
 * The first field, or group of them, with a fault gets the focus, but not of who types elsewhere meanwhile; without one
 * the notice comes into view.
 */
export function bringToFault(form: HTMLFormElement, submitter: HTMLElement | null): void {
	const { activeElement } = document;
	const place = placeOf(form);
	const isElsewhere = activeElement !== submitter && place?.contains(activeElement) === false;
	if (isElsewhere && !isFocusLost()) return;
	const field = place?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]');
	if (field) {
		field.focus();
		// A group of radio buttons takes no focus itself.
		if (document.activeElement !== field)
			field.querySelector<HTMLElement>('input:enabled')?.focus();
		return;
	}
	bringToNotice(form, submitter);
}
