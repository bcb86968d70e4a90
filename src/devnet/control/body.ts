/** A request that the control API refuses. */
export class ControlError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.name = 'ControlError';
		this.status = status;
	}
}

export type Body = { readonly [key: string]: unknown };

export const value = (body: Body, name: string): unknown =>
	Object.hasOwn(body, name) ? body[name] : undefined;

export const text = (body: Body, name: string): string => {
	const given = value(body, name);
	if (typeof given !== 'string') throw new ControlError(400, `${name} must be a string`);
	return given;
};

export const whole = (body: Body, name: string, fallback: number | null, most: number): number => {
	const given = value(body, name) ?? fallback;
	if (typeof given !== 'number' || !Number.isInteger(given) || given < 0 || given > most) {
		throw new ControlError(400, `${name} must be a whole number up to ${most}`);
	}
	return given;
};

export const flag = (body: Body, name: string): boolean => {
	const given = value(body, name);
	if (typeof given !== 'boolean') throw new ControlError(400, `${name} must be true or false`);
	return given;
};
