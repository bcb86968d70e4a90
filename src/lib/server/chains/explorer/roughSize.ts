/** Bytes that each value takes beside its text: its place in an object or array, and its header. */
const OF_VALUE = 32;

/**
 * Estimates the bytes of a value in memory. Stops counting above `most`, so that neither a large value nor one that
 * contains itself is walked to its end.
 */
export function roughSize(value: unknown, most: number): number {
	let bytes = 0;
	const open: unknown[] = [value];
	while (open.length > 0 && bytes <= most) {
		const one = open.pop();
		bytes += OF_VALUE;
		if (typeof one === 'string') bytes += one.length;
		else if (ArrayBuffer.isView(one)) bytes += one.byteLength;
		else if (Array.isArray(one) || one instanceof Map || one instanceof Set) {
			for (const part of one) open.push(part);
		} else if (typeof one === 'object' && one !== null) {
			for (const [name, part] of Object.entries(one)) open.push(name, part);
		}
	}
	return bytes;
}
