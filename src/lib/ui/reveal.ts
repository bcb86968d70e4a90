/** Where eyes and focus go after a form was answered without a new page. */

/** The form, or the page where the form is not shown any more. */
const placeOf = (form: HTMLFormElement): Element | null =>
	form.isConnected ? form : document.querySelector('main');

/** Brings the first notice of a kind into view: that of the form, else that of the page. */
export function bringToView(form: HTMLFormElement, kind: 'done' | 'fail'): void {
	const selector = `[data-kind="${kind}"]`;
	const notice =
		placeOf(form)?.querySelector(selector) ?? document.querySelector(`main ${selector}`);
	notice?.scrollIntoView({ block: 'nearest' });
}

/** The notice of a form that was not answered as forms are comes into view, and the focus stays. */
export function bringToNotice(form: HTMLFormElement, submitter: HTMLElement | null): void {
	bringToView(form, 'fail');
	// A button that was disabled meanwhile has lost it.
	if (document.activeElement === document.body) submitter?.focus({ preventScroll: true });
}

/** The first field with a fault gets the focus; without one the notice comes into view. */
export function bringToFault(form: HTMLFormElement, submitter: HTMLElement | null): void {
	const field = placeOf(form)?.querySelector<HTMLElement>('[aria-invalid="true"]');
	if (field) {
		// A group of radio buttons takes no focus itself.
		(field.querySelector<HTMLElement>('input:enabled') ?? field).focus();
		return;
	}
	bringToNotice(form, submitter);
}
