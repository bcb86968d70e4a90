/**
 * Keeps the focus in GET forms that reload their own page, such as filters: it stays on their button, or
 * moves to the invalid field. SvelteKit treats the response as a new page and would move the focus to the
 * top, before the whole sidebar.
 */
import { afterNavigate } from '$app/navigation';
import { onMount } from 'svelte';

const reloadsPage = (form: HTMLFormElement): boolean =>
	form.method === 'get' &&
	form.closest('main') !== null &&
	new URL(form.action).pathname === location.pathname;

/** Call during initialization of a component that is on every page. */
export function keepGetFormFocus(): void {
	onMount(() => {
		const hear = ({ target, submitter, defaultPrevented }: SubmitEvent): void => {
			if (defaultPrevented || !(target instanceof HTMLFormElement) || !reloadsPage(target)) return;
			target.dataset['sveltekitKeepfocus'] = '';
			// Moves the focus away from the field that Enter was pressed in: the on-screen keyboard of a
			// phone would cover the result.
			submitter?.focus({ preventScroll: true });
		};
		// Capture phase, to run before SvelteKit's listener.
		addEventListener('submit', hear, { capture: true });
		return () => removeEventListener('submit', hear, { capture: true });
	});
	afterNavigate(({ type }) => {
		if (type !== 'form') return;
		document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
	});
}
