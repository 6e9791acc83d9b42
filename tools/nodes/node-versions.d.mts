/** Major versions. */
export declare const TESTED_NODES: readonly string[];

/** The major version of Node in the images: that of the base image which docker/Dockerfile names. */
export declare function nodeOfImages(dockerfile?: string): string;

/** The program of a Node version, by its major version; from the npm registry when this process is another. */
export declare function nodeProgram(major: string): string;

/** The whole version that a program is, without the v. */
export declare function versionOf(program: string): string;
