import { getContext, setContext } from 'svelte';

/** Submission status of a form, for its buttons. */
interface FormStatus {
	/** The button that submitted the form; null while no submission is in progress. */
	readonly pressed: HTMLElement | null;
	/** Whether a submission is in progress. */
	readonly busy: boolean;
}

const KEY = Symbol('form');

/** Call during initialization of the form's component. */
export const provideFormStatus = (status: FormStatus): void => {
	setContext(KEY, status);
};

/** Returns the surrounding form; undefined outside of one. Call during component initialization. */
export const formStatus = (): FormStatus | undefined => getContext(KEY);
