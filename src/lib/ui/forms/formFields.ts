import { getContext, setContext } from 'svelte';

/** Errors and values that a form provides to its fields, by name. */
export interface FormFields {
	/** Errors as sentences. */
	readonly errors: Readonly<Partial<Record<string, string>>> | undefined;
	/** Values, where the form keeps them: a text, or the checked values of several boxes with one name. */
	readonly typed: Partial<Record<string, string | string[]>> | undefined;
}

const KEY = Symbol('form fields');

/** Call during initialization of the form's component. */
export const provideFormFields = (fields: FormFields): void => {
	setContext(KEY, fields);
};

/** Returns the surrounding form; undefined outside of one. Call during component initialization. */
export const formFields = (): FormFields | undefined => getContext(KEY);
