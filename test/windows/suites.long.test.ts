import { windowsTest, windowsTests } from "../support/windows.ts";

windowsTest("the server's tests pass in the Windows build of Node", windowsTests());
