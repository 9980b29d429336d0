import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { createBrowserRouter, Outlet, RouterProvider, useLocation } from "react-router";
import { AgentsScreen } from "../features/agents";
import { Loading, UiProvider } from "../ui";
import { ErrorBoundary, NotFound } from "./Fault";
import { Home } from "./Home";
import { makeQueryClient, useMe } from "./queries";
import { useSignedIn } from "./session";

const DesignPage = lazy(() => import("./DesignPage"));
const VersionPage = lazy(() => import("./VersionPage"));
const LivePage = lazy(() => import("./LivePage"));
const CallsScreen = lazy(async () => ({ default: (await import("../features/live")).CallsScreen }));

function Root() {
  const { pathname } = useLocation();
  useSignedIn();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<Loading what="Opening…" />}><Outlet /></Suspense>
    </ErrorBoundary>
  );
}

function AgentsPage() {
  return <Home><AgentsScreen roles={useMe().data?.workspace.roles} /></Home>;
}

function CallsPage() {
  return <Home><CallsScreen roles={useMe().data?.workspace.roles} /></Home>;
}

const router = createBrowserRouter([
  {
    element: <Root />,
    children: [
      { path: "/", element: <AgentsPage /> },
      { path: "/agents", element: <AgentsPage /> },
      { path: "/agents/:id", element: <DesignPage /> },
      { path: "/agents/:id/versions/:number", element: <VersionPage /> },
      { path: "/calls", element: <CallsPage /> },
      { path: "/calls/:id", element: <LivePage /> },
      { path: "*", element: <Home><NotFound /></Home> },
    ],
  },
]);

/** The page: providers around the router. */
export function App() {
  const [client] = useState(makeQueryClient);
  return (
    <UiProvider>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </UiProvider>
  );
}
