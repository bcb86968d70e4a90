import { themeOf, type Theme } from './theme.ts';

/** Target of the theme form, which also works without scripts. */
const ACTION = '/theme';

/** Whether a form is the theme form. */
export const isThemeForm = (form: HTMLFormElement): boolean =>
	new URL(form.action, location.href).pathname === ACTION;

/**
 * Stores the chosen theme like a submission would, but without leaving the page, so that nothing typed is
 * lost. When the server refuses, the form is submitted after all, and the response explains why. Without a
 * network a submission would replace the page by the browser's error page, so the theme applies until the
 * page is left.
 * @returns the theme now in effect; null when the page is being left
 */
export async function chooseTheme(
	form: HTMLFormElement,
	submitter: HTMLElement | null
): Promise<Theme | null> {
	const fields = new FormData(form, submitter);
	const theme = themeOf(fields.get('theme'));
	const body = new URLSearchParams({ theme });
	const answer = await fetch(ACTION, { method: 'POST', body, redirect: 'manual' }).catch(
		() => null
	);
	// Success is a redirect back to the page, which is not followed.
	if (answer === null || answer.type === 'opaqueredirect') {
		document.documentElement.dataset['theme'] = theme;
		return theme;
	}
	const field = document.createElement('input');
	Object.assign(field, { type: 'hidden', name: 'theme', value: theme });
	form.append(field);
	HTMLFormElement.prototype.submit.call(form);
	return null;
}
